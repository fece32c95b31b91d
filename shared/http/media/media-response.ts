import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { type BucketLink, linkSeconds } from '#shared/domain/media/bucket-link.ts';
import type { FoundMedia } from '#shared/domain/media/find-media.ts';
import { entityTag, isUnchanged } from './entity-tag.ts';
import { contentDisposition, safeMediaType } from './media-type.ts';
import { parseRange } from './range.ts';

/** The parts of a request that determine the response with a file. */
interface MediaRequest {
  /** The upstream's id of the media. */
  media: string;
  /** The header `Range`. */
  range: string | undefined;
  ifRange: string | undefined;
}

/** A browser may keep the file but must ask before it shows it again, because the user may have lost access. */
const cacheControl = 'private, no-cache';

/** Responds with the file, a part of it, or a redirect to it. */
export async function mediaResponse(found: FoundMedia, request: MediaRequest, link: BucketLink) {
  switch (found.in) {
    case 'cache':
      return notModified(found.sha256);
    case 'bucket':
      return redirect(found, request, link);
    case 'memory':
      return content(found, request);
  }
}

const validators = (sha256: string) => ({ etag: entityTag(sha256), 'cache-control': cacheControl });

function notModified(sha256: string) {
  return { status: 304, headers: validators(sha256) } as const;
}

async function redirect({ copy }: Extract<FoundMedia, { in: 'bucket' }>, { media }: MediaRequest, link: BucketLink) {
  const { contentType, extension } = safeMediaType(copy.mime_type);
  const location = await link(copy.blob, {
    contentType,
    contentDisposition: contentDisposition(media, extension),
    cacheControl,
    expiresInSeconds: linkSeconds,
  });
  return { status: 302, headers: { location } } as const;
}

function content(found: Extract<FoundMedia, { in: 'memory' }>, { media, range, ifRange }: MediaRequest) {
  const { bytes, mimeType, sha256 } = found;
  const { contentType, extension } = safeMediaType(mimeType);
  const headers = {
    'content-type': contentType,
    'content-disposition': contentDisposition(media, extension),
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    ...validators(sha256),
  };
  const wanted = isUnchanged(ifRange, entityTag(sha256)) ? parseRange(range, bytes.length) : undefined;
  if (wanted === undefined) return { status: 200, headers, body: bytes } as const;
  if (wanted === 'unsatisfiable') throw new ServiceError('media.range-beyond-end', { values: { size: bytes.length } });
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${wanted.start}-${wanted.end}/${bytes.length}` },
    body: bytes.subarray(wanted.start, wanted.end + 1),
  } as const;
}

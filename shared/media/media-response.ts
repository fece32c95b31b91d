import * as z from 'zod/mini';
import { ServiceError } from '#shared/base/service-error.ts';
import { describeComponent } from '#shared/http/members.ts';
import { extensionOf, parseMediaType } from './file-types.ts';
import type { FoundMedia } from './find-media.ts';
import { type BucketLink, linkSeconds } from './media-bucket-store.ts';

/** The parts of a request that determine the response with a file. */
interface MediaRequest {
  media: string;
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

const anyBytes = { contentType: 'application/octet-stream', extension: 'bin' };

/** Returns the media type under which to serve a file; parameters stay (`audio/ogg; codecs=opus`). */
export function safeMediaType(declared: string | undefined): { contentType: string; extension: string } {
  const { essence = '', parameters = '' } = parseMediaType(declared ?? '') ?? {};
  const extension = extensionOf(essence);
  return extension === undefined ? anyBytes : { contentType: essence + parameters, extension };
}

/**
 * Makes browsers save the file instead of showing it. Its name is the id, so it is ASCII without quotation marks (RFC
 * 6266).
 */
export function contentDisposition(id: string, extension: string): string {
  return `attachment; filename="${id}.${extension}"`;
}

/** The bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110 §14). `undefined` means the whole file. It is also the
 * result for several ranges and for anything but a range of bytes, because a server may ignore those.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || size === 0) return undefined;
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}

/** Builds the strong entity tag of content with this SHA-256 (hex). */
export function entityTag(sha256: string): string {
  return `"${sha256}"`;
}

/** Returns whether `If-None-Match` has the tag, by weak comparison, or `*` (RFC 9110 §13.1.2). */
export function isNamed(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim());
  return named.some((entry) => entry === '*' || entry.replace(/^W\//, '') === tag);
}

/** Returns whether a range may be sent: there is no `If-Range`, or it equals the tag (RFC 9110 §13.1.5). */
export function isUnchanged(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || ifRange.trim() === tag;
}

export const uploadedMediaSchema = z.object({ id: z.string() });
/* @__PURE__ */ describeComponent('UploadedMedia', uploadedMediaSchema, () => ({
  id: 'The id of the file, for messages of the number. It is valid for 30 days.',
}));

import { log } from '#shared/base/logger.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { lacksResponse, UpstreamError } from '#shared/base/upstream-error.ts';
import { awaitCopy, describe, type MediaContext, makeCopy, receive, type WantedMedia } from './copy-media.ts';
import type { MediaBucket } from './media-bucket-store.ts';
import { copyPrefix, type MediaCopyStore, type ReadyCopy } from './media-copy-store.ts';
import { MediaError, type MediaFault } from './media-error.ts';
import type { UpstreamFile, UpstreamMedia } from './media-graph.ts';
import { maxDirectBytes, maxMediaBytes } from './media-limits.ts';

/** Where to get the file: from memory, from the bucket, or from the client's own cache. */
export type FoundMedia =
  | { in: 'memory'; bytes: Buffer; mimeType: string; sha256: string }
  | { in: 'bucket'; copy: ReadyCopy }
  | { in: 'cache'; sha256: string };

/**
 * Finds the file of a received message. Small files are read from the upstream each time; large ones are copied into
 * the bucket once, however many requests there are. A file is not read at all when the client has it in its
 * cache, as `isCached` says.
 *
 * @throws {MediaError} when the file does not exist or is not what was announced; `ServiceError` with `media.not-ready`
 *   while it is being copied; `UpstreamError` like everything that calls the upstream.
 */
export async function findMedia(
  wanted: WantedMedia,
  isCached: (sha256: string) => boolean,
  context: MediaContext,
): Promise<FoundMedia> {
  const { number, media } = wanted;
  const begin = context.now();
  try {
    if (!isMediaId(media)) throw new MediaError('unknown');
    const found = await find(wanted, isCached, context);
    log('info', 'media.found', { number, media, in: found.in, duration_ms: context.now() - begin, ...sizeOf(found) });
    return found;
  } catch (error) {
    const duration_ms = context.now() - begin;
    if (error instanceof MediaError && isUpstreamFault(error.fault)) {
      log('warn', 'media.rejected', { number, media, fault: error.fault, duration_ms });
    } else if (
      error instanceof ServiceError &&
      (error.code === 'media.not-ready' || error.code === 'media.failed-just-now')
    ) {
      log('info', 'media.not-ready', { number, media, duration_ms });
    }
    const isUndelivered = error instanceof UpstreamError && lacksResponse(error);
    throw isUndelivered ? error.explained({ meaning: { code: 'media.undelivered' } }) : error;
  }
}

/**
 * The upstream's ids of media are numbers. Other texts never become part of a path, where Graph has names such as `me`.
 */
const mediaId = /^\d{1,64}$/;

const isMediaId = (text: string): boolean => mediaId.test(text);

/** Returns whether the upstream delivered bytes that must not be passed on. */
function isUpstreamFault(fault: MediaFault): boolean {
  return fault === 'incomplete' || fault === 'altered' || fault === 'too-large';
}

async function find(
  wanted: WantedMedia,
  isCached: (sha256: string) => boolean,
  context: MediaContext,
): Promise<FoundMedia> {
  for (;;) {
    const copy = await awaitCopy(wanted, context);
    const found = copy ? inBucket(copy) : await fetchFromUpstream(wanted, isCached, context);
    if (found) return isCached(sha256Of(found)) ? { in: 'cache', sha256: sha256Of(found) } : found;
  }
}

/** Resolves with `undefined` when another request has just started to copy the file. */
async function fetchFromUpstream(
  wanted: WantedMedia,
  isCached: (sha256: string) => boolean,
  context: MediaContext,
): Promise<FoundMedia | undefined> {
  const file = await describe(wanted, context);
  if (file.sha256 !== undefined && isCached(file.sha256)) return { in: 'cache', sha256: file.sha256 };
  // A file of unknown size may be as large as the limit.
  const size = file.size ?? maxMediaBytes;
  if (size > maxMediaBytes) throw new MediaError('too-large');
  if (size <= maxDirectBytes) return readDirectly(wanted, file, context);
  const copy = await makeCopy(wanted, file, context);
  return copy && inBucket(copy);
}

const inBucket = (copy: ReadyCopy): FoundMedia => ({ in: 'bucket', copy });

async function readDirectly(wanted: WantedMedia, file: UpstreamFile, context: MediaContext): Promise<FoundMedia> {
  const { used: bytes, measured } = await receive(wanted, file, collect, context);
  return { in: 'memory', bytes, mimeType: file.mimeType, sha256: measured.sha256 };
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes));
}

function sha256Of(found: FoundMedia): string {
  return found.in === 'bucket' ? found.copy.sha256 : found.sha256;
}

function sizeOf(found: FoundMedia): { bytes?: number } {
  if (found.in === 'cache') return {};
  return { bytes: found.in === 'memory' ? found.bytes.length : found.copy.size };
}

interface Context {
  upstream: UpstreamMedia;
  copies: Pick<MediaCopyStore, 'markDeleted'>;
  bucket: Pick<MediaBucket, 'list' | 'delete'>;
  now: Clock;
}

/**
 * Deletes a file at the upstream, and before that every copy of it here, so that a repeat finds what a failure has left.
 * The upstream has much else under an id, which must not be deleted, so the id has to be that of media of the number.
 */
export async function deleteMedia(wanted: WantedMedia, { upstream, copies, bucket, now }: Context): Promise<void> {
  const { number, media, phoneNumberId } = wanted;
  if (!isMediaId(media)) throw new MediaError('unknown');
  await copies.markDeleted({ number, media }, now());
  for await (const key of bucket.list(copyPrefix(wanted))) await bucket.delete(key);
  await describe(wanted, { upstream });
  await upstream.delete(media, phoneNumberId);
  log('info', 'media.deleted', { number, media });
}

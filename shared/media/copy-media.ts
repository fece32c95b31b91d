import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/logger.ts';
import type { Clock } from '#shared/base/time.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import type { MediaBucket } from './media-bucket-store.ts';
import { copyPrefix, type MediaCopyStore, type MediaKey, type ReadyCopy } from './media-copy-store.ts';
import { MediaError, type MediaFault, notYet } from './media-error.ts';
import type { MediaDownload, UpstreamFile, UpstreamMedia } from './media-graph.ts';
import { maxMediaBytes, minTimeToStartMs } from './media-limits.ts';

/** A request that may work on a file alone, or wait for another one that does. */
export interface FileRequest {
  /** The id of this request, which claims the work. */
  holder: string;
  /** The request must have its response by this time, in epoch milliseconds. */
  deadline: number;
  /** Milliseconds between checks of what another request is doing. */
  pollMs: number;
  now: Clock;
}

export interface MediaContext extends FileRequest {
  upstream: UpstreamMedia;
  download: MediaDownload;
  copies: MediaCopyStore;
  bucket: Pick<MediaBucket, 'save' | 'delete'>;
}

export interface WantedMedia extends MediaKey {
  /** The upstream's id of the number. */
  phoneNumberId: string;
}

export interface Measured {
  size: number;
  /** Hex. */
  sha256: string;
}

/**
 * Passes the bytes on and compares them with what was announced. On a mismatch it throws `MediaError` instead of
 * ending, and as soon as there are too many bytes, so that code that stores them never completes a wrong file. A
 * correct file ends with a call of `onEnd`. Without an announced SHA-256, only the size is checked.
 */
export async function* verify(
  bytes: AsyncIterable<Uint8Array>,
  announced: Pick<UpstreamFile, 'size' | 'sha256'>,
  onEnd: (measured: Measured) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxMediaBytes) throw new MediaError('too-large');
    if (size > (announced.size ?? Number.POSITIVE_INFINITY)) throw new MediaError('altered');
    hash.update(chunk);
    yield chunk;
  }
  if (size < (announced.size ?? 0)) throw new MediaError('incomplete');
  const sha256 = hash.digest('hex');
  if (sha256 !== (announced.sha256 ?? sha256)) throw new MediaError('altered');
  onEnd({ size, sha256 });
}

/** How soon to retry while a copy is being made: it may be ready long before its lease expires. */
const retryAfterMs = 5_000;

/**
 * Resolves with the copy that another request has made or makes while we wait; `undefined` when there is none. Throws
 * the error of a copy that failed recently, or `media.not-ready` when our time runs out.
 */
export async function awaitCopy(
  wanted: WantedMedia,
  { copies, deadline, pollMs, now }: MediaContext,
): Promise<ReadyCopy | undefined> {
  for (;;) {
    const copy = await copies.read(wanted, now());
    if (copy === undefined || copy.state === 'ready') return copy;
    if (copy.state === 'failed') {
      throw copy.fault ? new MediaError(copy.fault) : notYet('media.failed-just-now', copy.until, now());
    }
    if (deadline - now() <= pollMs) {
      throw notYet('media.not-ready', Math.min(copy.lease.until, now() + retryAfterMs), now());
    }
    await delay(pollMs);
  }
}

/** Copies the file into the bucket. Resolves with `undefined` when another request decides about the copy. */
export async function makeCopy(
  wanted: WantedMedia,
  file: UpstreamFile,
  context: MediaContext,
): Promise<ReadyCopy | undefined> {
  const { copies, bucket, holder, deadline, now } = context;
  const { number, media } = wanted;
  const begin = now();
  if (deadline - begin < minTimeToStartMs) throw notYet('media.not-ready', begin, begin);
  if (!(await copies.claim(wanted, holder, begin))) return undefined;
  try {
    // Each attempt writes to its own key, so that a late one cannot overwrite a file that is being read.
    const blob = `${copyPrefix(wanted)}${newId()}`;
    const { measured } = await receive(wanted, file, (bytes) => bucket.save(blob, bytes), context);
    const copy: ReadyCopy = { state: 'ready', blob, mime_type: file.mimeType, ...measured };
    if (!(await copies.storeOutcome(wanted, holder, copy, now()))) {
      // Meanwhile the file was deleted, or another request took over the copy.
      await bucket.delete(blob);
      return undefined;
    }
    log('info', 'media.copied', { number, media, bytes: copy.size, duration_ms: now() - begin });
    return copy;
  } catch (error) {
    const fault = error instanceof MediaError ? error.fault : undefined;
    // Without this record, the lease of the copy expires by itself.
    await copies
      .storeOutcome(wanted, holder, { state: 'failed', fault }, now())
      .catch((failure) => log('warn', 'media.copy-not-recorded', describeError(failure)));
    throw error;
  }
}

type Context = Pick<MediaContext, 'upstream' | 'download' | 'deadline' | 'now'>;

/** Reads the upstream's description of the file. Throws `MediaError` when the upstream does not have the file. */
export async function describe(wanted: WantedMedia, { upstream }: Pick<Context, 'upstream'>): Promise<UpstreamFile> {
  const file = await upstream.describe(wanted.media, wanted.phoneNumberId);
  if (typeof file === 'string') throw new MediaError(file);
  return file;
}

/**
 * Passes the file's bytes to `use` and checks them on the way. Retries at most once for each remedy: with a new
 * address, because an address lives for five minutes, and again after an interruption. Each retry needs as much time
 * left as the failed attempt took.
 */
export async function receive<T>(
  wanted: WantedMedia,
  file: UpstreamFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  context: Context,
): Promise<{ used: T; measured: Measured }> {
  const { deadline, now } = context;
  const tried = new Set<Remedy>();
  let current = file;
  for (;;) {
    const begin = now();
    try {
      return await receiveOnce(current, use, context);
    } catch (error) {
      const remedy = remedyFor(error);
      const spent = now() - begin;
      if (remedy === undefined || tried.has(remedy) || deadline - now() < spent) throw error;
      tried.add(remedy);
      if (remedy === 'new-address') current = await describe(wanted, context);
    }
  }
}

async function receiveOnce<T>(
  file: UpstreamFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  { download }: Context,
): Promise<{ used: T; measured: Measured }> {
  const bytes = await download(file.url);
  if (!bytes) throw new MediaError('expired');
  let measured: Measured | undefined;
  const used = await use(
    verify(bytes, file, (result) => {
      measured = result;
    }),
  );
  if (!measured) throw new Error('A file was not read to its end');
  return { used, measured };
}

type Remedy = 'new-address' | 'again';

/** The upstream responds to an expired address with 404. A token that is valid for Graph may get 401 or 403 there. */
function remedyFor(error: unknown): Remedy | undefined {
  const fault = error instanceof MediaError ? error.fault : error instanceof UpstreamError ? error.failure : undefined;
  if (fault === 'expired' || fault === 'credentials') return 'new-address';
  return fault !== undefined && passing.has(fault) ? 'again' : undefined;
}

const passing: ReadonlySet<MediaFault | UpstreamFailure> = new Set<MediaFault | UpstreamFailure>([
  'incomplete',
  'timeout',
  'broken-response',
  'unavailable',
  'unreachable',
]);

import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/log/logger.ts';
import type { MediaContext, WantedMedia } from './context.ts';
import { worthBeginningMs } from './limits.ts';
import { copyPrefix, type ReadyCopy } from './media-copy-store.ts';
import { MediaError, notYet } from './media-error.ts';
import { receive } from './receive.ts';
import type { UpstreamFile } from './upstream-media.ts';

/** How soon to retry while a copy is being made: it may be ready long before its lease expires. */
const comeAgainMs = 5_000;

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
      throw notYet('media.not-ready', Math.min(copy.lease.until, now() + comeAgainMs), now());
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
  if (deadline - begin < worthBeginningMs) throw notYet('media.not-ready', begin, begin);
  if (!(await copies.claim(wanted, holder, begin))) return undefined;
  try {
    // Each attempt writes to its own key, so that a late one cannot overwrite a file that is being read.
    const blob = `${copyPrefix(wanted)}${newId()}`;
    const { measured } = await receive(wanted, file, (bytes) => bucket.save(blob, bytes), context);
    const copy: ReadyCopy = { state: 'ready', blob, mime_type: file.mimeType, ...measured };
    if (!(await copies.storeOutcome(wanted, holder, copy, now()))) {
      // The file was deleted meanwhile, or another request has taken over.
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

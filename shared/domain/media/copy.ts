import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import type { MediaContext, WantedMedia } from './context.ts';
import type { ReadyCopy } from './media-copy-store.ts';
import { MediaError, notYet } from './media-error.ts';
import { receive } from './receive.ts';
import type { UpstreamFile } from './upstream-media.ts';

/** With less time left a copy is not begun: it would be broken off, and the next request begins at once. */
const worthBeginningMs = 10_000;

/** How soon to come again for a copy that is being made: it may be there long before its lease is over. */
const comeAgainMs = 5_000;

/**
 * The copy that somebody has made, or makes while we wait; `undefined` when nobody does. Throws what they failed with
 * not long ago, and that it is not ready when our time is up.
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
      throw notYet('media.not-ready', Math.min(copy.until, now() + comeAgainMs), now());
    }
    await delay(pollMs);
  }
}

/** Copies the file into the bucket, unless somebody else has begun to: then there is nothing yet. */
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
    // Of its own for each try: one that was overtaken must not write over what is being read.
    const blob = `media/${number}/${media}/${newId()}`;
    const { measured } = await receive(wanted, file, (bytes) => bucket.save(blob, bytes), context);
    const copy: ReadyCopy = { state: 'ready', blob, mime_type: file.mimeType, ...measured };
    await copies.settle(wanted, holder, copy, now());
    log('info', 'media.copied', { number, media, bytes: copy.size, duration_ms: now() - begin });
    return copy;
  } catch (error) {
    const fault = error instanceof MediaError ? error.fault : undefined;
    await copies.settle(wanted, holder, { state: 'failed', fault }, now());
    throw error;
  }
}

import { log } from '#shared/base/log/logger.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { WantedMedia } from './context.ts';
import type { MediaBucket } from './media-bucket.ts';
import { copyPrefix, type MediaCopyStore } from './media-copy-store.ts';
import { MediaError } from './media-error.ts';
import { isMediaId } from './media-id.ts';
import { describe } from './receive.ts';
import type { UpstreamMedia } from './upstream-media.ts';

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

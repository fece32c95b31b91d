import { log } from '#shared/base/log/logger.ts';
import type { WantedMedia } from './context.ts';
import type { MediaCopyStore } from './media-copy-store.ts';
import { MediaError } from './media-error.ts';
import { isMediaId } from './media-id.ts';
import { describe } from './receive.ts';
import type { UpstreamMedia } from './upstream-media.ts';

interface Context {
  upstream: UpstreamMedia;
  copies: Pick<MediaCopyStore, 'forget'>;
}

/**
 * Deletes a file at the upstream. It has much else under an id, which must not be deleted, so the id has to be that of
 * media of the number.
 */
export async function deleteMedia(wanted: WantedMedia, { upstream, copies }: Context): Promise<void> {
  const { number, media, phoneNumberId } = wanted;
  if (!isMediaId(media)) throw new MediaError('unknown');
  await describe(wanted, { upstream });
  await upstream.delete(media, phoneNumberId);
  await copies.forget({ number, media });
  log('info', 'media.deleted', { number, media });
}

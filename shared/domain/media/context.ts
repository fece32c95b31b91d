import type { Clock } from '#shared/base/clock.ts';
import type { MediaDownload } from '#shared/domain/media/upstream-media.ts';
import type { MediaBucket } from './media-bucket.ts';
import type { MediaCopyStore, MediaKey } from './media-copy-store.ts';
import type { UpstreamMedia } from './upstream-media.ts';

/** What a request for media works with. */
export interface MediaContext {
  upstream: UpstreamMedia;
  download: MediaDownload;
  copies: MediaCopyStore;
  bucket: Pick<MediaBucket, 'save'>;
  /** Who claims: the id of this request. */
  holder: string;
  /** Epoch milliseconds by which there has to be an answer. */
  deadline: number;
  /** Between looks at a copy that somebody else makes. */
  pollMs: number;
  now: Clock;
}

export interface WantedMedia extends MediaKey {
  /** The upstream's id of the number. */
  phoneNumberId: string;
}

import type { Clock } from '#shared/base/time.ts';
import type { MediaBucket } from './media-bucket-store.ts';
import type { MediaCopyStore, MediaKey } from './media-copy-store.ts';
import type { MediaDownload, UpstreamMedia } from './media-graph.ts';

/** What a request for media needs. */
export interface MediaContext {
  upstream: UpstreamMedia;
  download: MediaDownload;
  copies: MediaCopyStore;
  bucket: Pick<MediaBucket, 'save' | 'delete'>;
  /** The id of this request, which claims copies. */
  holder: string;
  /** The request must have its response by this time, in epoch milliseconds. */
  deadline: number;
  /** Milliseconds between checks of a copy that another request is making. */
  pollMs: number;
  now: Clock;
}

export interface WantedMedia extends MediaKey {
  /** The upstream's id of the number. */
  phoneNumberId: string;
}

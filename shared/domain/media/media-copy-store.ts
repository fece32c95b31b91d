import type { Lease } from '../lease.ts';
import type { MediaFault } from './media-error.ts';

/** Identifies a file. A media id is valid only together with its number. */
export interface MediaKey {
  number: string;
  media: string;
}

/** All copies of a file in the bucket have keys that begin with this. */
export const copyPrefix = ({ number, media }: MediaKey): string => `media/${number}/${media}/`;

/** A complete, verified file in the bucket. */
export interface ReadyCopy {
  state: 'ready';
  /** Its key in the bucket. */
  blob: string;
  mime_type?: string | undefined;
  /** Hex. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** A request that is copying the file. */
export interface CopyInProgress {
  state: 'copying';
  lease: Lease;
}

/** A copy failed. Without a fault, the reason may have been temporary. */
export interface FailedCopy {
  state: 'failed';
  fault?: MediaFault | undefined;
}

/** The state of a large file's copy. An outcome expires at `until`, in epoch milliseconds. */
export type MediaCopy = CopyInProgress | ((ReadyCopy | FailedCopy) & { until: number });

/** The copies of large files. The request that claims a copy makes it, and only that request may record the outcome. */
export interface MediaCopyStore {
  read({ number, media }: MediaKey, now: number): Promise<MediaCopy | undefined>;
  /**
   * `false` when another request is making the copy or recently recorded its outcome. A holder can repeat its own
   * claim, because the client repeats a write whose response was lost.
   */
  claim(key: MediaKey, holder: string, now: number): Promise<boolean>;
  /** Records the outcome. Resolves with `false` if another request has claimed the copy in the meantime. */
  storeOutcome(key: MediaKey, holder: string, outcome: ReadyCopy | FailedCopy, now: number): Promise<boolean>;
  /** Ends the use of the file: no copy is handed out, and none is made by a request that has begun before. */
  markDeleted(key: MediaKey, now: number): Promise<void>;
}

import type { MediaFault } from './media-error.ts';

/** Whose file: media ids are good for one number. */
export interface MediaKey {
  number: string;
  media: string;
}

/** A file in the bucket, whole and right. */
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

/** Somebody copies it. */
export interface CopyUnderWay {
  state: 'copying';
  holder: string;
}

/** Somebody could not; without a fault, for a reason that may be gone by now. */
export interface FailedCopy {
  state: 'failed';
  fault?: MediaFault | undefined;
}

/** What is known of a large file's copy, which holds `until` then, in epoch milliseconds. */
export type MediaCopy = (ReadyCopy | CopyUnderWay | FailedCopy) & { until: number };

/** The copies of large files. Whoever claims a copy makes it, and alone may say what became of it. */
export interface MediaCopyStore {
  read({ number, media }: MediaKey, now: number): Promise<MediaCopy | undefined>;
  /**
   * `false` when somebody else makes the copy, or said not long ago what came of it. The holder's own claim stands in
   * nobody's way: the SDK repeats a write whose answer was lost.
   */
  claim(key: MediaKey, holder: string, now: number): Promise<boolean>;
  /** Says what came of it; `false` when somebody else has taken over. */
  settle(key: MediaKey, holder: string, outcome: ReadyCopy | FailedCopy, now: number): Promise<boolean>;
}

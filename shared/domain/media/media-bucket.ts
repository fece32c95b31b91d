/** Where copies of large files are kept. */
export interface MediaBucket {
  /** Stores what comes. When the bytes end with an error nothing is stored, and the error is thrown. */
  save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

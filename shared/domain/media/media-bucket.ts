/** Stores the copies of large files. */
export interface MediaBucket {
  /** Stores the bytes. If they end with an error, nothing is stored and the error is thrown. */
  save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Yields the keys that begin with this. */
  list(prefix: string): AsyncIterable<string>;
  delete(key: string): Promise<void>;
}

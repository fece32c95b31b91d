/** Remembers for which Flow each envelope was served. */
export interface EnvelopeStore {
  /**
   * Binds an envelope, by its hash, to the Flow for which it came first. Resolves with `false` if that was another one.
   * @param now epoch milliseconds
   */
  bind(hash: string, flow: string, now: number): Promise<boolean>;
}

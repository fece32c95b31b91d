/** A file as the upstream describes it. */
export interface UpstreamFile {
  /** The address needs our token and works for five minutes. */
  url: string;
  mimeType: string;
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

/** Describes and deletes media. Throws `UpstreamError` on failure. */
export interface UpstreamMedia {
  /**
   * Resolves with `unknown` if the upstream does not have the file, or if it belongs to another number. Resolves with
   * `expired` only if the upstream says so, which it rarely does.
   */
  describe(media: string, phoneNumberId: string): Promise<UpstreamFile | 'unknown' | 'expired'>;
  delete(media: string, phoneNumberId: string): Promise<void>;
}

/** Resolves with the bytes at an address from the upstream; `undefined` when the address no longer works. */
export type MediaDownload = (address: string) => Promise<AsyncIterable<Uint8Array> | undefined>;

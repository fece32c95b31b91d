/** A file as the upstream describes it. */
export interface UpstreamFile {
  /** Needs our token, and works for five minutes. */
  url: string;
  mimeType: string;
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

/** The descriptions of media. Throws `UpstreamError` when it fails. */
export interface UpstreamMedia {
  /**
   * `unknown` also when it is another number's, `expired` where the upstream says so: mostly it makes no difference.
   */
  describe(media: string, phoneNumberId: string): Promise<UpstreamFile | 'unknown' | 'expired'>;
}

/** The bytes at an address that the upstream gave; `undefined` when there is nothing any more. */
export type MediaDownload = (address: string) => Promise<AsyncIterable<Uint8Array> | undefined>;

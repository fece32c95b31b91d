/** A file for the upstream. */
export interface FileToUpload {
  type: string;
  /** Bytes. */
  size: number;
  /** Begins to read the bytes. A call that is repeated begins again. */
  open: () => AsyncIterable<Uint8Array>;
}

/** Files that numbers send. Every method throws `UpstreamError` on failure. */
export interface UpstreamUploads {
  /** Resolves with the id of the media. */
  upload(phoneNumberId: string, file: FileToUpload): Promise<string>;
}

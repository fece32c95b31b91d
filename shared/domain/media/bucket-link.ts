/** The response headers and the lifetime of a link; the headers override those with which the file was stored. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

/** A URL that lets anyone who has it read the file for a limited time. */
export type BucketLink = (key: string, options: LinkOptions) => Promise<string>;

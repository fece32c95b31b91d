/** The bucket checks the expiry when a download begins, so a link need not last as long as the download. */
export const linkSeconds = 300;

/** The response headers and the lifetime of a link; the headers override those that were stored with the file. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

/** A URL that lets anyone who has it read the file for a limited time. */
export type BucketLink = (key: string, options: LinkOptions) => Promise<string>;

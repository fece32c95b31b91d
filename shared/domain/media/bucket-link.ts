/** How a file is handed out by the bucket, whatever it was stored as. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

/** A URL that lets anyone who has it read the file for a limited time. */
export type BucketLink = (key: string, options: LinkOptions) => Promise<string>;

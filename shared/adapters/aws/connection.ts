/** The endpoint, the region and the credentials to use instead of those of the AWS environment. */
export interface Connection {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

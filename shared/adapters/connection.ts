/** Where and as whom to connect, in place of what the AWS environment says. */
export interface Connection {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

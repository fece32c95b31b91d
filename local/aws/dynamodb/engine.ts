/** A DynamoDB engine on this machine. */
export interface Engine {
  /** `http://127.1.2.3:PORT` */
  readonly url: string;
  /**
   * Who the engine believes its caller is. DynamoDB Local takes letters and digits only, and keeps a database for each
   * id, so nobody who doesn't know it reaches the data.
   */
  readonly accessKeyId: string;
  close(): Promise<void>;
}

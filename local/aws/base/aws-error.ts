/** An error that a service responds with. The SDK turns `code` into its typed exception. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
  }
}

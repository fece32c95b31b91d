/** The body of an error. Its members depend on the error. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An AWS service rejected a call or failed. The error's `name` is the service's code. */
export class AwsError extends Error {
  override readonly name: string;
  /** The HTTP status: below 500 the caller is at fault. */
  readonly status: number;
  // Private, because the details may contain an item, and printing an error prints its public members.
  readonly #details: ErrorDetails;

  constructor(code: string, message: string, status: number, details: ErrorDetails = {}) {
    super(message);
    this.name = code;
    this.status = status;
    this.#details = details;
  }

  /** All that the service says, such as DynamoDB's `CancellationReasons`. */
  get details(): ErrorDetails {
    return this.#details;
  }
}

/** Whether an AWS service returned an error with this code. */
export function isAwsError(error: unknown, code: string): error is AwsError {
  return error instanceof AwsError && error.name === code;
}

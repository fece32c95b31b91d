/** Whether an AWS service returned an error with this code. The SDK gives errors the code as their name. */
export function isAwsError(error: unknown, code: string): error is Error & Record<string, unknown> {
  return error instanceof Error && error.name === code;
}

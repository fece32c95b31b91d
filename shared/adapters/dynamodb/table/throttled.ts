/** DynamoDB's errors for requests beyond the limits of a partition, the table or the account. */
const throttlingErrors: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/**
 * Whether DynamoDB rejected a request only because there were too many. The client's own retries have failed by then.
 */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttlingErrors.has(error.name);
}

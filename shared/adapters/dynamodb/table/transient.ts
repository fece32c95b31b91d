/**
 * DynamoDB's errors for requests beyond the limits of a partition, the table or the account, and for a write of an item
 * that a transaction is changing.
 */
const transientErrors: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
]);

/**
 * Whether DynamoDB rejected a request only because of other requests, so that it will take the same one some seconds
 * later. The client's own retries have failed by then.
 */
export function isTransient(error: unknown): error is Error {
  return error instanceof Error && transientErrors.has(error.name);
}

/** What DynamoDB calls writes and reads beyond what a partition, the table or the account takes. */
const throttlingErrors: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** Whether DynamoDB refused a request only for there being too many; the client has tried again in vain. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttlingErrors.has(error.name);
}

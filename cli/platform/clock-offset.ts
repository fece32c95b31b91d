/**
 * Another machine's clock minus ours in milliseconds, correct to about a second; undefined without a readable date.
 *
 * @param date the `Date` header of its response
 * @param sentAt our clock before the request, and `receivedAt` after the response, in epoch milliseconds
 */
export function clockOffset(date: string | null, sentAt: number, receivedAt: number): number | undefined {
  const theirs = Date.parse(date ?? '');
  // The header has whole seconds, rounded down.
  return Number.isNaN(theirs) ? undefined : theirs + 500 - (sentAt + receivedAt) / 2;
}

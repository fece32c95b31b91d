import type { SentFlowReference } from './sent-flow.ts';

/** What a header may contain: visible characters of ASCII. */
const isSafe = (value: string) => /^[\x21-\x7e]{1,512}$/.test(value);

/** The headers that tell a customer's server to which Flow, message and contact a request belongs. */
export function referenceHeaders(sent: SentFlowReference | undefined): Record<string, string> {
  if (sent === undefined) return {};
  const values = { 'x-flow-id': sent.flow, 'x-message-id': sent.message, 'x-contact': sent.contact };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined && isSafe(entry[1])),
  );
}

import { isVisibleAscii } from '#shared/base/visible-ascii.ts';
import type { SentFlowReference } from './sent-flow.ts';

/** The headers that tell a customer's server to which Flow, message and contact a request belongs. */
export function referenceHeaders(sent: SentFlowReference | undefined): Record<string, string> {
  if (sent === undefined) return {};
  const values = { 'x-flow-id': sent.flow, 'x-message-id': sent.message, 'x-contact': sent.contact };
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isVisibleAscii(entry[1]),
    ),
  );
}

// Stands before the consumer's handler: makes ten messages out of one, because pollers often find fewer than ten.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { handler: consumer } = await import(pathToFileURL(join(import.meta.dirname, 'function.mjs')).href);

const batchSize = 10;

export const handler = ({ Records }, context) => consumer({ Records: Records.flatMap(tenOf) }, context);

/** What the consumer has sent back stays one message. */
function tenOf(record) {
  const message = JSON.parse(record.body);
  if (message.do !== 'deliver' || message.slow || message.returns) return [record];
  return Array.from({ length: batchSize }, (_, digit) => ({
    ...record,
    messageId: `${record.messageId}-${digit}`,
    body: JSON.stringify({ ...message, id: message.id.slice(0, -1) + digit }),
  }));
}

import type { RawMessage } from '../base/message-splitter.ts';
import { type Call, verbAndTable } from './call-accesses.ts';

/** The most statements that DynamoDB takes in a batch. In a transaction it takes more. */
const mostStatements = 25;

/**
 * A request for the same writes as a batch, but in one transaction. The engine commits each statement of a batch by
 * itself, and waits for the disk each time. Undefined for batches that read, return items or ask for the units that
 * they consume, and for those that are a single statement or have too many. A client that closes the connection after
 * this request leaves no time for a second one, so its batches are sent as they are.
 */
export function asTransaction({ head }: RawMessage, operation: string, call: Call): string | undefined {
  const statements = call.Statements ?? [];
  if (operation !== 'BatchExecuteStatement' || call.ReturnConsumedCapacity !== undefined) return;
  if (statements.length < 2 || statements.length > mostStatements) return;
  if (!statements.every(({ Statement }) => isPlainWrite(Statement)) || /^connection: *close/im.test(head)) return;
  const body = JSON.stringify({ TransactStatements: statements });
  const transactionHead = head
    .replace(/^(x-amz-target:[^.\r\n]*\.).*$/im, '$1ExecuteTransaction')
    .replace(/^content-length:.*$/im, `content-length: ${Buffer.byteLength(body)}`);
  return `${transactionHead}\r\n\r\n${body}`;
}

/**
 * The body of the response to a batch whose transaction succeeded. Undefined if it did not: then nothing was written,
 * and the batch itself says which of its statements fail.
 */
export function batchResponse({ head }: RawMessage, { Statements = [] }: Call): string | undefined {
  if (!/^HTTP\/1\.1 200 /.test(head)) return;
  const Responses = Statements.map(({ Statement }) => ({ TableName: verbAndTable(Statement).table }));
  return JSON.stringify({ Responses });
}

const isPlainWrite = (statement: string) =>
  ['INSERT', 'UPDATE', 'DELETE'].includes(verbAndTable(statement).verb) && !/\bRETURNING\b/i.test(statement);

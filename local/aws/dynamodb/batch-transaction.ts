import type { RawMessage } from '../base/message-splitter.ts';
import { type Call, verbAndTable } from './call-accesses.ts';

/**
 * A request for the same writes as a batch, but in one transaction. The engine commits each statement of a batch by
 * itself, and waits for the disk each time. Undefined for what a transaction does not do: it neither reads nor returns
 * items, and it consumes other units.
 */
export function asTransaction({ head }: RawMessage, operation: string, call: Call): string | undefined {
  const { Statements = [], ReturnConsumedCapacity } = call;
  if (operation !== 'BatchExecuteStatement' || Statements.length < 2 || ReturnConsumedCapacity !== undefined) return;
  if (!Statements.every(({ Statement }) => isPlainWrite(Statement))) return;
  const body = JSON.stringify({ TransactStatements: Statements });
  const transactionHead = head
    .replace(/^(x-amz-target:[^.\r\n]*\.).*$/im, '$1ExecuteTransaction')
    .replace(/^content-length:.*$/im, `content-length: ${Buffer.byteLength(body)}`);
  return `${transactionHead}\r\n\r\n${body}`;
}

/**
 * The body of the response to a batch whose transaction succeeded. Undefined if it did not: then nothing was written, and
 * the batch itself says which of its statements fail.
 */
export function batchResponse({ head }: RawMessage, { Statements = [] }: Call): string | undefined {
  if (!/^HTTP\/1\.1 200 /.test(head)) return;
  const Responses = Statements.map(({ Statement }) => ({ TableName: verbAndTable(Statement).table }));
  return JSON.stringify({ Responses });
}

const isPlainWrite = (statement: string) =>
  ['INSERT', 'UPDATE', 'DELETE'].includes(verbAndTable(statement).verb) && !/\bRETURNING\b/i.test(statement);

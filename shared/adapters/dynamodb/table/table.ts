import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientConfig } from '../../aws-sdk/client-config.ts';
import type { Connection } from '../../aws-sdk/connection.ts';
import { canceledFor } from './condition.ts';

/** Sends commands to DynamoDB, with plain values instead of attribute values. */
export type TableClient = Pick<DynamoDBDocumentClient, 'send' | 'destroy'>;

/** The single table, and the client that accesses it. */
export interface Table {
  client: TableClient;
  name: string;
}

/** Milliseconds for one attempt of a call. */
export const attemptMs = 2_000;

/** Opens the table `name`. Three attempts stay below every function's timeout. */
export function openTable(name: string, connection: Connection): Table {
  const client = new DynamoDBClient({
    ...clientConfig(connection, attemptMs),
    // The document client adds middleware to each command and rejects a client that keeps them.
    cacheMiddleware: false,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw markTransient(error);
      }
    },
    { name: 'markTransient', step: 'finalizeRequest', priority: 'low' },
  );
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}

/** Reasons of a cancellation that the same transaction does not meet again a moment later. */
const throttlingCodes = ['ThrottlingError', 'ProvisionedThroughputExceeded'];
const transientCodes = ['None', 'TransactionConflict', ...throttlingCodes];

/** Lets the SDK repeat what conflicted with another transaction, and transactions that were throttled. */
function markTransient(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const codes = error.name === 'TransactionConflictException' ? ['TransactionConflict'] : canceledFor(error);
  const isTransient = codes.length > 0 && codes.every((code) => transientCodes.includes(code));
  if (!isTransient) return error;
  return Object.assign(error, { $retryable: { throttling: codes.some((code) => throttlingCodes.includes(code)) } });
}

import { DynamoDBClient, TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../aws/connection.ts';

/** The single table, and the client that accesses it. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/**
 * Opens the table `name`, with the region, credentials and endpoint of the AWS environment unless `connection`
 * overrides them. Three attempts of at most 2 s each stay well below a function's timeout.
 */
export function openTable(name: string, connection: Partial<Connection> = {}): Table {
  const client = new DynamoDBClient({
    ...connection,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  retryConflicts(client);
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}

/**
 * Makes the client retry a write that conflicted with a transaction on the same item. Such a conflict lasts for
 * milliseconds, but the SDK does not retry after it.
 */
function retryConflicts({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        if (isConflict(error)) error.$retryable = { throttling: false };
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'retryConflicts' },
  );
}

function isConflict(error: unknown): error is TransactionConflictException | TransactionCanceledException {
  if (error instanceof TransactionConflictException) return true;
  const codes = error instanceof TransactionCanceledException ? error.CancellationReasons?.map(({ Code }) => Code) : [];
  return codes?.includes('TransactionConflict') === true && !codes.includes('ConditionalCheckFailed');
}

import { DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../connection.ts';

/** The single table and the client that speaks to it. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/**
 * The table called `name`, by the AWS environment's region, credentials and endpoint unless told otherwise. Three tries
 * of at most 2 s each stay well below a function's timeout.
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
 * Has the client retry a write that met another one's transaction on the same item: that is over in milliseconds, but
 * the SDK takes the error for a final one. (A canceled transaction is for its caller to judge.)
 */
function retryConflicts({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        if (error instanceof TransactionConflictException) error.$retryable = { throttling: false };
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'retryConflicts' },
  );
}

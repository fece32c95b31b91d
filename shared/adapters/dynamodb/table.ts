import type { AwsError } from '../aws/aws-error.ts';
import type { Connection } from '../aws/connection.ts';
import { type JsonClient, jsonClient } from '../aws/json-client.ts';
import { fromAttributeValues, toAttributeValues } from './attribute-values.ts';
import { canceledFor } from './cancellation.ts';
import type { Command } from './commands.ts';

/** Sends commands to DynamoDB. */
export interface TableClient {
  send<Input extends object, Output extends object>(
    command: Command<Input, Output>,
  ): Promise<Command<Input, Output>['output']>;
  /** Closes the connections that wait for further commands. */
  destroy(): void;
}

/** The single table, and the client that accesses it. */
export interface Table {
  client: TableClient;
  name: string;
}

/** Opens the table `name`. Three attempts of at most 2 s each stay well below a function's timeout. */
export function openTable(name: string, connection: Connection): Table {
  const dynamodb: JsonClient<Record<string, { input: object; output: object }>> = jsonClient(
    { service: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0', timeoutMs: 2_000, isTransient: isConflict },
    connection,
  );
  return {
    name,
    client: {
      async send({ operation, input }) {
        return fromAttributeValues(await dynamodb.call(operation, toAttributeValues(input))) as never;
      },
      destroy: dynamodb.destroy,
    },
  };
}

/** Whether a write conflicted with a transaction on the same item. Such a conflict lasts for milliseconds. */
function isConflict(error: AwsError): boolean {
  if (error.name === 'TransactionConflictException') return true;
  const codes = canceledFor(error);
  return codes.includes('TransactionConflict') && !codes.includes('ConditionalCheckFailed');
}

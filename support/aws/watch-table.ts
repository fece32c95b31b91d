import type { Table } from '#shared/aws/table.ts';

/** A command of the SDK's document client. */
export interface AnyCommand {
  input: object;
}

/** Passes every command of a table's client through `watch`, which sends it on. */
export function watchTable({ client }: Table, watch: (command: AnyCommand, send: Send) => Promise<object>): void {
  const send = client.send.bind(client) as unknown as Send;
  client.send = ((command: AnyCommand) => watch(command, send)) as typeof client.send;
}

type Send = (command: AnyCommand) => Promise<object>;

const operations: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  TransactWriteCommand: 'TransactWriteItems',
};

/** The API's name of a command's operation, such as `GetItem`. */
export function operationOf(command: AnyCommand): string {
  const { name } = command.constructor;
  return operations[name] ?? name.replace(/Command$/, '');
}

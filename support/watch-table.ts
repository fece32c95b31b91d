import type { Command } from '#shared/adapters/dynamodb/commands.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';

type AnyCommand = Command<object, object>;

/** Passes every command of a table's client through `watch`, which sends it on. */
export function watchTable({ client }: Table, watch: (command: AnyCommand, send: Send) => Promise<object>): void {
  const send = client.send.bind(client) as Send;
  client.send = ((command: AnyCommand) => watch(command, send)) as typeof client.send;
}

type Send = (command: AnyCommand) => Promise<object>;

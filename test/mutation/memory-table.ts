import { setImmediate } from 'node:timers/promises';
import { ScanCommand } from '#support/dynamodb-commands.ts';
import { memoryClient } from '../simulation/table/document-client.ts';
import { type Change, MemoryTable } from '../simulation/table/memory-table.ts';
import type { TestTable } from '../support/dynamodb.ts';

/**
 * An empty table in memory, in place of one in a DynamoDB engine: every test takes one, for each of hundreds of
 * mutants.
 */
export async function startTestTable(): Promise<TestTable> {
  const items = new Map<string, Record<string, unknown>>();
  const changed = ({ key, after }: Change) => {
    if (after) items.set(`${key.pk} ${key.sk}`, after);
    else items.delete(`${key.pk} ${key.sk}`);
  };
  const client = memoryClient(new MemoryTable(undefined, { changed }));
  const send = client.send.bind(client) as (command: unknown) => Promise<object>;
  client.send = (async (command: unknown) => {
    // Lets timers fire, so that a test that would go on for ever ends.
    await setImmediate();
    return command instanceof ScanCommand ? scan(items, command) : send(command);
  }) as never;
  return { table: { client, name: 'messaging-test' }, endpoint: 'none', close: async () => {} };
}

/** The scan of `deliveriesOf`: the deliveries of a number, found by their partitions. */
function scan(items: ReadonlyMap<string, Record<string, unknown>>, { input }: ScanCommand): object {
  const prefix = String(input.ExpressionAttributeValues?.[':deliveries']);
  return { Items: [...items].filter(([key]) => key.startsWith(prefix)).map(([, item]) => structuredClone(item)) };
}

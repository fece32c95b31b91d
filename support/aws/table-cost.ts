import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#shared/aws/table.ts';
import { operationOf, watchTable } from './watch-table.ts';

/** The calls of a table's client, and the capacity units that the table reports for them. */
export interface TableCost {
  /** The names of the calls, such as `Query`, in alphabetical order: those made at the same time end in any order. */
  calls: string[];
  units: number;
}

/** The maximum number of items in one `BatchWriteItem`. */
const maxPuts = 25;

interface Consumed {
  CapacityUnits?: number;
}

/** Counts the calls of a table's client and the capacity units that they consume while an action runs. */
export function tableCosts(table: Table) {
  let cost: TableCost = { calls: [], units: 0 };
  watchTable(table, async (command, send) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const output = await send(command);
    const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Consumed | Consumed[] };
    cost.calls.push(operationOf(command));
    const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    cost.units += Math.max(units, leastUnits(command.input));
    return output;
  });

  return async (action: () => Promise<unknown>): Promise<TableCost> => {
    cost = { calls: [], units: 0 };
    await action();
    return { calls: cost.calls.sort(), units: cost.units };
  };
}

/**
 * The capacity that any call consumes on AWS, even if the item does not exist (DynamoDB Developer Guide, "Capacity
 * unit consumption for read operations"). DynamoDB Local counts nothing for a query that finds nothing.
 */
const leastUnits = (input: { ConsistentRead?: boolean }) => (input.ConsistentRead ? 1 : 0.5);

/** Writes many items past the stores, a few batches at a time. */
export async function loadItems({ client, name }: Table, items: Iterable<Record<string, unknown>>): Promise<void> {
  const batches = batchesOf(items);
  async function loadSome(): Promise<void> {
    for (const batch of batches) {
      await client.send(new BatchWriteCommand({ RequestItems: { [name]: batch } }));
    }
  }
  await Promise.all(Array.from({ length: 4 }, loadSome));
}

function* batchesOf(items: Iterable<Record<string, unknown>>) {
  let batch: { PutRequest: { Item: Record<string, unknown> } }[] = [];
  for (const Item of items) {
    batch.push({ PutRequest: { Item } });
    if (batch.length < maxPuts) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

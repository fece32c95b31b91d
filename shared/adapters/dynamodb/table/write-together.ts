import { TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { canceledFor, succeeds } from './condition.ts';
import type { Table } from './table.ts';

type ItemUpdate = NonNullable<NonNullable<TransactWriteCommandInput['TransactItems']>[number]['Update']>;

/** More tries than others change one of the items at the very moment of the write. */
const maxTries = 10;

/** Makes all of these updates or none. Resolves with `false` when the condition of one of them does not hold. */
export async function writeTogether({ client }: Table, updates: readonly ItemUpdate[]): Promise<boolean> {
  const [only, ...others] = updates;
  if (only !== undefined && others.length === 0) return succeeds(client.send(new UpdateCommand(only)));
  const TransactItems = updates.map((Update) => ({ Update }));
  for (let tries = 1; ; tries++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      const reasons = canceledFor(error);
      if (reasons.includes('ConditionalCheckFailed')) return false;
      if (tries === maxTries || !reasons.includes('TransactionConflict')) throw error;
    }
  }
}

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';
import { dayMs } from '#shared/base/time.ts';

/** As long as the exchanges themselves. */
const keptSeconds = (30 * dayMs) / 1000;

export type EnvelopeStore = ReturnType<typeof envelopeStore>;

/** Stores for which Flow each envelope was served, under its hash. */
export function envelopeStore({ client, name: TableName }: Table) {
  return {
    /**
     * Binds an envelope, by its hash, to the Flow for which it came first. Resolves with `false` if that was another one.
     * @param now epoch milliseconds
     */
    bind(hash: string, flow: string, now: number): Promise<boolean> {
      const expires_at_seconds = Math.ceil(now / 1000) + keptSeconds;
      return succeeds(
        client.send(
          new PutCommand({
            TableName,
            Item: { ...keys.envelope(hash), flow, expires_at_seconds },
            ConditionExpression: 'attribute_not_exists(pk) OR flow = :flow',
            ExpressionAttributeValues: { ':flow': flow },
          }),
        ),
      );
    },
  };
}

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '#shared/base/time/duration.ts';
import type { EnvelopeStore } from '#shared/domain/flow-endpoint/envelope-store.ts';
import { succeeds } from '../table/condition.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** As long as the exchanges themselves. */
const keptSeconds = (30 * dayMs) / 1000;

/** Stores for which Flow each envelope was served, under its hash. */
export function envelopeStore({ client, name: TableName }: Table): EnvelopeStore {
  return {
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

import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, type Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/write.ts';
import { newId } from '#shared/base/ids.ts';
import { dayMs } from '#shared/base/time.ts';
import type { ExchangeRecord } from './exchange-record.ts';

/** How many exchanges a Flow's owner sees, and how long they are stored. */
const maxShown = 50;
const keptSeconds = (30 * dayMs) / 1000;

export type ExchangeStore = ReturnType<typeof exchangeStore>;

export function exchangeStore({ client, name: TableName }: Table) {
  return {
    async add(flow: string, record: ExchangeRecord): Promise<void> {
      const expires_at_seconds = Math.floor(record.at / 1000) + keptSeconds;
      await client.send(
        new PutCommand({ TableName, Item: { ...keys.exchange(flow, newId()), ...record, expires_at_seconds } }),
      );
    },

    /** Reads the latest exchanges of a Flow, newest first. */
    async latest(flow: string, now: number): Promise<ExchangeRecord[]> {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          FilterExpression: 'expires_at_seconds > :now',
          ExpressionAttributeValues: { ':pk': keys.exchange(flow, '0').pk, ':now': Math.floor(now / 1000) },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: maxShown,
        }),
      );
      const latest = Items.flatMap((item) => fromItem<ExchangeRecord>(item) ?? []);
      // The key tells when an exchange ended. One that took long began before others that ended earlier.
      return latest.toSorted((one, other) => other.at - one.at);
    },
  };
}

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

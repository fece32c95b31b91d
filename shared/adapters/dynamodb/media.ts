import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '#shared/base/time/duration.ts';
import { leaseFor } from '#shared/domain/lease.ts';
import { mediaCopyKeptDays } from '#shared/domain/media/limits.ts';
import type {
  FailedCopy,
  MediaCopy,
  MediaCopyStore,
  MediaKey,
  ReadyCopy,
} from '#shared/domain/media/media-copy-store.ts';
import { leaseMs } from '#shared/domain/upstream/limits.ts';
import { succeeds } from './table/condition.ts';
import { getRecord } from './table/item.ts';
import { keys } from './table/keys.ts';
import { claimedBy, heldBy } from './table/lease.ts';
import type { Table } from './table/table.ts';

/** How long an outcome is valid. The bucket stores a file longer than its copy is used. */
export const validForMs = { failed: 10_000, ready: mediaCopyKeptDays * dayMs } as const;

/**
 * Stores the state of the copies of large files, one item each. The request that claims a copy makes it, and only that
 * request may record the outcome. An expired item is ignored.
 */
export function mediaCopyStore(table: Table): MediaCopyStore {
  const { client, name: TableName } = table;

  const item = ({ number, media }: MediaKey, copy: MediaCopy) => ({
    ...keys.mediaCopy(number, media),
    ...copy,
    expires_at_seconds: Math.ceil(endOf(copy) / 1000),
  });

  return {
    async read({ number, media }: MediaKey, now: number): Promise<MediaCopy | undefined> {
      const copy = await getRecord<MediaCopy>(table, keys.mediaCopy(number, media));
      return copy && endOf(copy) > now ? copy : undefined;
    },

    async claim(key: MediaKey, holder: string, now: number): Promise<boolean> {
      const { ConditionExpression, ...aliases } = claimedBy(holder, now);
      const claim = new PutCommand({
        TableName,
        Item: item(key, { state: 'copying', lease: leaseFor(holder, now) }),
        ConditionExpression: `(attribute_not_exists(#until) OR #until <= :now) AND ${ConditionExpression}`,
        ...aliases,
      });
      return succeeds(client.send(claim));
    },

    async storeOutcome(key: MediaKey, holder: string, outcome: ReadyCopy | FailedCopy, now: number): Promise<boolean> {
      const Item = item(key, { ...outcome, until: now + validForMs[outcome.state] });
      return succeeds(client.send(new PutCommand({ TableName, Item, ...heldBy(holder) })));
    },

    async markDeleted(key: MediaKey, now: number): Promise<void> {
      const deleted = item(key, { state: 'failed', fault: 'unknown', until: now + leaseMs });
      await client.send(new PutCommand({ TableName, Item: deleted }));
    },
  };
}

/** When the state of a copy expires. */
const endOf = (copy: MediaCopy): number => (copy.state === 'copying' ? copy.lease.until : copy.until);

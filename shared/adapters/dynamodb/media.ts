import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '#shared/base/time/duration.ts';
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
import type { Table } from './table/table.ts';

/**
 * How long each state is valid. The bucket stores a file longer than its copy is used.
 */
export const validForMs = { copying: leaseMs, failed: 10_000, ready: mediaCopyKeptDays * dayMs } as const;

/**
 * Stores the state of the copies of large files, one item each. The request that claims a copy makes it, and only that
 * request may record the outcome. An expired item is ignored.
 */
export function mediaCopyStore(table: Table): MediaCopyStore {
  const { client, name: TableName } = table;

  const item = ({ number, media }: MediaKey, copy: MediaCopy) => ({
    ...keys.mediaCopy(number, media),
    ...copy,
    expires_at_seconds: Math.ceil(copy.until / 1000),
  });

  return {
    async read({ number, media }: MediaKey, now: number): Promise<MediaCopy | undefined> {
      const copy = await getRecord<MediaCopy>(table, keys.mediaCopy(number, media));
      return copy && copy.until > now ? copy : undefined;
    },

    async claim(key: MediaKey, holder: string, now: number): Promise<boolean> {
      const claim = new PutCommand({
        TableName,
        Item: item(key, { state: 'copying', holder, until: now + validForMs.copying }),
        ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now OR holder = :holder',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':now': now, ':holder': holder },
      });
      return succeeds(client.send(claim));
    },

    async storeOutcome(key: MediaKey, holder: string, outcome: ReadyCopy | FailedCopy, now: number): Promise<boolean> {
      const write = new PutCommand({
        TableName,
        Item: item(key, { ...outcome, until: now + validForMs[outcome.state] }),
        ConditionExpression: '#state = :copying AND holder = :holder',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':copying': 'copying', ':holder': holder },
      });
      return succeeds(client.send(write));
    },

    async markDeleted(key: MediaKey, now: number): Promise<void> {
      const deleted = item(key, { state: 'failed', fault: 'unknown', until: now + validForMs.copying });
      await client.send(new PutCommand({ TableName, Item: deleted }));
    },
  };
}

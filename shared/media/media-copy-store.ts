import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, type Table } from '#shared/aws/table.ts';
import { claimedBy, heldBy, succeeds } from '#shared/aws/write.ts';
import { dayMs } from '#shared/base/time.ts';
import { type Lease, leaseFor, leaseMs } from '#shared/base/time-limits.ts';
import type { MediaFault } from './media-error.ts';
import { mediaCopyKeptDays } from './media-limits.ts';

/** Identifies a file. A media id is valid only together with its number. */
export interface MediaKey {
  number: string;
  media: string;
}

/** All copies of a file in the bucket have keys that begin with this. */
export const copyPrefix = ({ number, media }: MediaKey): string => `media/${number}/${media}/`;

/** A complete, verified file in the bucket. */
export interface ReadyCopy {
  state: 'ready';
  /** Its key in the bucket. */
  blob: string;
  mime_type?: string | undefined;
  /** Hex. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** A request that is copying the file. */
export interface CopyInProgress {
  state: 'copying';
  lease: Lease;
}

/** A copy failed. Without a fault, the reason may have been temporary. */
export interface FailedCopy {
  state: 'failed';
  fault?: MediaFault | undefined;
}

/** The state of a large file's copy. An outcome expires at `until`, in epoch milliseconds. */
export type MediaCopy = CopyInProgress | ((ReadyCopy | FailedCopy) & { until: number });

/** How long an outcome is valid. The bucket stores a file longer than its copy is used. */
export const validForMs = { failed: 10_000, ready: mediaCopyKeptDays * dayMs } as const;

export type MediaCopyStore = ReturnType<typeof mediaCopyStore>;

/**
 * Stores the state of the copies of large files, one item each. The request that claims a copy makes it, and only that
 * request may record the outcome. An expired item is ignored.
 */
export function mediaCopyStore(table: Table) {
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

    /**
     * `false` when another request is making the copy or recently recorded its outcome. A holder can repeat its own
     * claim, because the client repeats a write whose response was lost.
     */
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

    /** Records the outcome. Resolves with `false` if another request has claimed the copy in the meantime. */
    async storeOutcome(key: MediaKey, holder: string, outcome: ReadyCopy | FailedCopy, now: number): Promise<boolean> {
      const Item = item(key, { ...outcome, until: now + validForMs[outcome.state] });
      return succeeds(client.send(new PutCommand({ TableName, Item, ...heldBy(holder) })));
    },

    /** Ends the use of the file: no copy is handed out, and none is made by a request that has begun before. */
    async markDeleted(key: MediaKey, now: number): Promise<void> {
      const deleted = item(key, { state: 'failed', fault: 'unknown', until: now + leaseMs });
      await client.send(new PutCommand({ TableName, Item: deleted }));
    },
  };
}

const endOf = (copy: MediaCopy): number => (copy.state === 'copying' ? copy.lease.until : copy.until);

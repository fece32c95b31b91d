import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type BlobStore, blobStore } from '#shared/adapters/s3/blobs.ts';
import type { CredentialsReader } from '#shared/domain/access/upstream-credentials.ts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { openTarget } from '../target.ts';

/** The service that is tried, and how to look behind it. */
export interface Place {
  baseUrl: string;
  table: Table;
  blobs: BlobStore;
  credentials: CredentialsReader;
  countDeadLetters: () => Promise<number>;
  /** The names of the alarms that are going off; absent in the local world, which has none. */
  alarms?: () => Promise<{ count: number; goingOff: string[] }>;
  /** Whether the service may send to this machine, so that a receiver can run here. */
  isLocal: boolean;
}

/** Opens a stage or, without one, the local world. */
export async function openPlace(stage: string | undefined): Promise<Place> {
  const target = await openTarget(stage === undefined ? { local: true } : { stage });
  const { table, openBucket, openUpstream, baseUrl, surroundings } = target;
  return {
    baseUrl,
    table,
    blobs: blobStore(openBucket()),
    credentials: openUpstream().credentials,
    countDeadLetters: async () => (await surroundings.readDeadLetters()).count,
    ...(stage !== undefined && {
      alarms: async () => (await import('#shared/adapters/stack/alarms.ts')).alarmsOf(stackNameOf(stage)),
    }),
    isLocal: stage === undefined,
  };
}

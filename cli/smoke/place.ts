import { openTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type BlobStore, blobStore } from '#shared/adapters/s3/blobs.ts';
import { openBucket } from '#shared/adapters/s3/bucket.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { readDeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { CredentialsReader } from '#shared/domain/access/upstream-credentials.ts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { outputsOf } from '../stage.ts';
import { Rejection } from '../terminal/errors.ts';
import { readWorld } from '../world.ts';

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

export async function openStage(stage: string): Promise<Place> {
  const [{ operatorConnection }, { alarmsOf }, { get: output }] = await Promise.all([
    import('#shared/adapters/aws-sdk/operator-connection.ts'),
    import('#shared/adapters/stack/alarms.ts'),
    outputsOf(stage),
  ]);
  const connectTo = await operatorConnection(process.env);
  const deadLetters = output('DeadLetterQueueUrl');
  return {
    baseUrl: output('BaseUrl'),
    table: openTable(output('TableName'), connectTo('dynamodb')),
    blobs: blobStore(openBucket(output('BucketName'), connectTo('s3'))),
    credentials: credentialsReader(output('UpstreamSecretName'), Date.now, secretsManager(connectTo('secretsmanager'))),
    countDeadLetters: async () => (await readDeadLetters(deadLetters, connectTo('sqs'))).count,
    alarms: () => alarmsOf(stackNameOf(stage)),
    isLocal: false,
  };
}

export async function openLocal(dataDir: string): Promise<Place> {
  const { table, openBucket, secret, deadLetters, baseUrl } = await readWorld(dataDir, 'npm start');
  if (baseUrl === undefined || deadLetters === undefined) {
    throw new Rejection(`${dataDir} has an incomplete world.json. Restart the local world with "npm start".`);
  }
  const { secretId, connection } = secret();
  return {
    baseUrl,
    table,
    blobs: blobStore(openBucket()),
    credentials: credentialsReader(secretId, Date.now, secretsManager(connection)),
    countDeadLetters: async () => (await readDeadLetters(deadLetters.queueUrl, deadLetters.connection)).count,
    isLocal: true,
  };
}

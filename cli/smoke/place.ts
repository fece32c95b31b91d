import { join } from 'node:path';
import type { Connection } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type BlobStore, blobStore } from '#shared/adapters/s3/blobs.ts';
import { openBucket } from '#shared/adapters/s3/bucket.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { readDeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { CredentialsReader } from '#shared/domain/access/upstream-credentials.ts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { Rejection } from '../failures.ts';
import { outputsOf } from '../stage.ts';
import { readAdministrator, readWorld } from '../target.ts';

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
  return {
    ...open(
      {
        table: output('TableName'),
        bucket: output('BucketName'),
        secret: output('UpstreamSecretName'),
        deadLetters: output('DeadLetterQueueUrl'),
      },
      connectTo,
    ),
    baseUrl: output('BaseUrl'),
    alarms: () => alarmsOf(stackNameOf(stage)),
    isLocal: false,
  };
}

export async function openLocal(dataDir: string): Promise<Place> {
  const start = 'npm start';
  const file = join(dataDir, 'world.json');
  const { base_url, aws = {} } = await readWorld(file, start);
  const credentials = await readAdministrator(join(dataDir, 'data', 'aws-credentials'), start);
  const text = (value: unknown) => {
    if (typeof value === 'string') return value;
    throw new Rejection(`${file} is incomplete. Restart the local world with "npm start".`);
  };
  const queues: Record<string, unknown> = Object(aws.queue_urls);
  const names = {
    table: text(aws.table_name),
    bucket: text(aws.bucket_name),
    secret: text(aws.upstream_secret),
    deadLetters: text(queues.NotificationQueueDeadLetters),
  };
  const endpoints = { dynamodb: aws.dynamodb, s3: aws.s3, secretsmanager: aws.secrets_manager, sqs: aws.sqs };
  const connectTo = (service: keyof typeof endpoints) => ({
    region: 'us-east-1',
    credentials,
    endpoint: text(endpoints[service]),
  });
  return { ...open(names, connectTo), baseUrl: text(base_url), isLocal: true };
}

interface Names {
  table: string;
  bucket: string;
  secret: string;
  deadLetters: string;
}

type ConnectTo = (service: 'dynamodb' | 's3' | 'secretsmanager' | 'sqs') => Connection;

function open(names: Names, connectTo: ConnectTo) {
  return {
    table: openTable(names.table, connectTo('dynamodb')),
    blobs: blobStore(openBucket(names.bucket, connectTo('s3'))),
    credentials: credentialsReader(names.secret, Date.now, secretsManager(connectTo('secretsmanager'))),
    countDeadLetters: async () => (await readDeadLetters(names.deadLetters, connectTo('sqs'))).count,
  };
}

import { join } from 'node:path';
import { startS3 } from './aws/s3/server.ts';
import { startSecretsManager } from './aws/secrets-manager/server.ts';
import { startSqs } from './aws/sqs/server.ts';
import type { QueueService } from './aws/stack/queues.ts';
import type { SecretService } from './aws/stack/secrets.ts';
import type { Stack } from './aws/stack/stack.ts';
import type { Parts } from './parts.ts';

/** The services of AWS that the functions use, besides DynamoDB. */
export interface Services {
  sqs: QueueService;
  s3: { url: string };
  secretsManager: SecretService;
}

interface ServicesOptions {
  stack: Stack;
  /** The names of the template's buckets. */
  buckets: string[];
  dataDir: string;
  /** Host names of the bucket, in addition to those of loopback. */
  hosts?: readonly string[] | undefined;
  /** How many servers share the messages of a queue. */
  queueServers?: number | undefined;
}

export type StartServices = (parts: Parts, options: ServicesOptions) => Promise<Services>;

/** Starts the local world's own services, which keep what they hold in the folder. */
export const startServices: StartServices = async (parts, { stack, buckets, dataDir, hosts, queueServers }) => {
  const { region, signers, authorize } = stack;
  const options = (name: string) => ({ dataDir: join(dataDir, name), region, signers, authorize });
  return {
    sqs: await parts.start(startSqs({ ...options('sqs'), servers: queueServers })),
    s3: await parts.start(startS3({ ...options('s3'), buckets, hosts })),
    secretsManager: await parts.start(startSecretsManager(options('secrets'))),
  };
};

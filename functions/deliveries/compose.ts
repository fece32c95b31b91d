import { isTransient as isTransientForTable } from '#shared/aws/table.ts';
import { pause } from '#shared/base/concurrency.ts';
import { notificationSource } from '#shared/delivery/notification-queue-store.ts';
import { sqs, table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import { rememberSecrets, secretStore } from '#shared/webhooks/subscriber-store.ts';

export const secretsFor = (environment: Environment<'table'>) =>
  rememberSecrets(secretStore(table(environment)).get, Date.now);

export const isTransient = () => isTransientForTable;

/** Takes notifications from the queue. */
export const source = (environment: Environment<'queue'>) =>
  notificationSource(environment.QUEUE_URL, sqs(environment));

export const wait = () => pause;

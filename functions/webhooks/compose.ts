import { blobStore } from '#shared/aws/bucket.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import { openAsk } from '#shared/delivery/handshake.ts';
import { payloadStore } from '#shared/delivery/notification.ts';
import { parseSchedule } from '#shared/delivery/retry-schedule.ts';
import { createSender } from '#shared/egress/post.ts';
import { checkResolvedUrl, resolveName } from '#shared/egress/url-rules.ts';
import { bucket, mark, table, urlRules } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';

export const targets = (environment: Environment<'table'>) => targetStore(table(environment));

export const breakers = (environment: Environment<'table'>) => breakerStore(table(environment));

export const secrets = (environment: Environment<'table'>) => secretStore(table(environment));

export const deliveries = (environment: Environment<'table'>) => deliveryStore(table(environment));

export const readPayload = (environment: Environment<'bucket'>) => payloadStore(blobStore(bucket(environment))).read;

/** Sends notifications to customers' URLs. */
export const sender = (environment: Environment<'egress'>) =>
  createSender({ ...urlRules(environment), mark: mark(environment) });

/** Returns what is wrong with a customer's URL before it is saved. This resolves the host name. */
export const checkUrl = (environment: Environment<'egress'>) => {
  const { allowList, isOwn } = urlRules(environment);
  return (url: string) => checkResolvedUrl(url, resolveName, allowList, isOwn);
};

/** Asks a customer's URL for a challenge. */
export const ask = (environment: Environment<'egress'>) =>
  openAsk({ allowList: urlRules(environment).allowList, mark: mark(environment) });

/** Seconds between attempts. */
export const schedule = (environment: Environment<'retries'>) => parseSchedule(environment.DELIVERY_RETRY_SCHEDULE);

/** Returns random numbers in [0, 1). */
export const random = () => Math.random;

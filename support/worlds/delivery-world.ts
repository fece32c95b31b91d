import { createHmac, randomInt } from 'node:crypto';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import type { Credentials } from '#local/aws/base/signatures/signature-v4.ts';
import type { EventRequest } from '#local/graph/events/events.ts';
import { seededCredentials, seededWorkspaces } from '#local/seed.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { fromItem, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { type NumberStore, numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber, Target } from '#shared/webhooks/subscriber.ts';
import { type TargetStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { canary } from '../canary.ts';
import { startReceiver } from '../http/receiver.ts';
import { startTestWorld, type TestWorld } from './world.ts';

/** The person who writes to numbers, as the upstream shows them. */
export const contact = { profile: { name: `${canary} Kerry` }, wa_id: '16505551234' };
const sender = { from: contact.wa_id };

/** How long a test waits for an effect, on a machine that may be busy. */
export const soon = { timeout: 300_000, interval: 20 };

/**
 * The same for effects that only the log of deliveries shows. Each poll reads the whole table, which slows other
 * tests.
 */
export const soonInLog = { ...soon, interval: 250 };

export interface TestNumber extends PhoneNumber, Partial<Record<Target, string>> {
  /** The secret that signs its notifications. */
  secret: string;
}

/** A number with a secret and these URLs. */
export const createNumber = (
  table: Table,
  urls: Partial<Record<Target, string>>,
  members?: Partial<PhoneNumber>,
): Promise<TestNumber> => newNumber({ numbers: numberStore(table), targets: targetStore(table) }, urls, members);

/** The same in other stores. */
export async function newNumber(
  { numbers, targets }: { numbers: Pick<NumberStore, 'create'>; targets: Pick<TargetStore, 'setUrls'> },
  urls: Partial<Record<Target, string>>,
  members: Partial<PhoneNumber> = {},
): Promise<TestNumber> {
  const number: PhoneNumber = {
    id: newId(),
    workspace: String(seededWorkspaces[0]?.id),
    phone_number_id: String(randomInt(10 ** 13, 10 ** 14)),
    display_phone_number: `+1555${randomInt(10 ** 6, 10 ** 7)}`,
    active: true,
    calling_enabled: true,
    created_at: Date.now(),
    ...members,
  };
  const secret = createSecret();
  await numbers.create(number, secret);
  if (Object.keys(urls).length > 0) await targets.setUrls(number.id, urls);
  return { ...number, ...urls, secret };
}

/** A webhook body of the upstream about one number, with this `value`. */
export function envelope(number: Pick<PhoneNumber, 'phone_number_id'>, value: object, field = 'messages') {
  const metadata = { display_phone_number: '15550000000', phone_number_id: number.phone_number_id };
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
  return { object: 'whatsapp_business_account', entry: [{ id: '100000000000001', changes: [change] }] };
}

export function textMessage(body: string, members: object = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { ...sender, id: `wamid.${newId()}`, timestamp, type: 'text', text: { body }, ...members };
}

/** Sends the service an event as the upstream does, signed over the bytes. Returns the status of the response. */
export async function postEvent(baseUrl: string, body: unknown, appSecret: string = seededCredentials.app_secret) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const response = await fetch(`${baseUrl}/v2/messaging/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`,
    },
    body: bytes,
  });
  await response.text();
  return response.status;
}

export type DeliveryWorld = Awaited<ReturnType<typeof startDeliveryWorld>>;

/**
 * A local world with a receiver, and with retries and sweeps within seconds. An attempt has the deployed service's 10
 * s, so that a busy machine never turns a response into a timeout; a test that needs timeouts sets a shorter time and
 * uses receivers that never respond.
 */
export async function startDeliveryWorld(options: Parameters<typeof startTestWorld>[0] = {}) {
  const receiver = await startReceiver();
  const world = await startTestWorld({
    sweepSeconds: 1,
    ...options,
    environment: { DELIVERY_RETRY_SCHEDULE: '0.2,0.2,0.4', ...options.environment },
  });
  const { base_url: baseUrl, upstream_url: upstreamUrl } = world.description;
  const queue = queueOf(world.description, world.administrator);
  // On a busy machine a call to the table can time out. The message then becomes visible again within the test.
  await queue.setVisibilityTimeout(20);

  const service = {
    world,
    receiver,
    queue,
    baseUrl,

    /** A number whose targets are paths of the receiver, or whole URLs. */
    newNumber: (paths: Partial<Record<Target, string>>, members: Partial<PhoneNumber> = {}) =>
      createNumber(
        world.table,
        mapValues(paths, (path) => URL.parse(path)?.href ?? receiver.url + path),
        members,
      ),

    post: (body: unknown, appSecret?: string) => postEvent(baseUrl, body, appSecret),

    /** Sends texts to a number, in one request. */
    async sendTexts(number: PhoneNumber, ...texts: string[]): Promise<void> {
      const messages = texts.map((text) => textMessage(`${canary} ${text}`));
      const body = envelope(number, { contacts: [contact], messages });
      // Repeats the request like the upstream, because the service may respond with 500 on a busy machine.
      await vi.waitFor(async () => expect(await postEvent(baseUrl, body)).toBe(200), soon);
    },

    /** Makes the simulated upstream send events. */
    async simulate(events: EventRequest[], batch = 1): Promise<void> {
      const response = await fetch(`${upstreamUrl}/simulator/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ events, batch }),
      });
      if (!response.ok) throw new Error(`The simulator answered ${response.status} ${await response.text()}`);
    },

    deliveries: (number: PhoneNumber) => deliveriesOf(world.table, number),

    /** Waits until this many deliveries of the number have ended, and returns them. */
    async ended(number: PhoneNumber, count = 1): Promise<Delivery[]> {
      return vi.waitFor(async () => {
        const deliveries = await deliveriesOf(world.table, number);
        const running = deliveries.filter(({ state }) => !endStates.has(state));
        if (deliveries.length < count || running.length > 0) throw new Error(`Not ended: ${summary(deliveries)}`);
        return deliveries;
      }, soonInLog);
    },

    /** Waits until the queue has no messages, neither visible nor delayed nor in flight. */
    untilDone: () =>
      vi.waitFor(async () => {
        const { visible, hidden } = await queue.count();
        if (visible + hidden > 0) throw new Error(`The queue still has ${visible} messages and ${hidden} hidden ones`);
      }, soon),

    async close(): Promise<void> {
      queue.close();
      await world.close();
      await receiver.close();
    },
  };
  return service;
}

const endStates: ReadonlySet<string> = new Set(['delivered', 'exhausted', 'discarded']);

/** Newest first, in one pass over the test's table: a search would query each partition of the number. */
export async function deliveriesOf(table: Table, { id: number }: PhoneNumber): Promise<Delivery[]> {
  const found: Delivery[] = [];
  const items = scanItems(table, {
    FilterExpression: 'begins_with(pk, :deliveries)',
    ExpressionAttributeValues: { ':deliveries': `DELIVERIES#${number}#` },
  });
  for await (const item of items) found.push(...[fromItem<Delivery>(item)].filter((one) => one !== undefined));
  return found.sort((one, other) => (one.id < other.id ? 1 : -1));
}

const summary = (deliveries: readonly Delivery[]) =>
  JSON.stringify([...Map.groupBy(deliveries, ({ state }) => state)].map(([state, { length }]) => [state, length]));

/** Inspects the queue of a world. */
export function queueOf({ aws }: WorldDescription, credentials: Credentials) {
  const client = new SQSClient({ endpoint: aws.sqs, region: aws.region, credentials });
  const url = aws.queue_urls.NotificationQueue;
  const deadLettersUrl = aws.queue_urls.NotificationQueueDeadLetters;

  const counts = async (QueueUrl: string | undefined) => {
    const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    const hidden = ['ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'] as const;
    return {
      visible: Number(Attributes.ApproximateNumberOfMessages),
      hidden: hidden.reduce((sum, name) => sum + Number(Attributes[name]), 0),
    };
  };

  return {
    client,
    url,
    count: () => counts(url),
    deadLetters: async () => (await counts(deadLettersUrl)).visible,
    /** A failed message becomes visible again after this time, instead of the template's minutes. */
    async setVisibilityTimeout(seconds: number) {
      const Attributes = { VisibilityTimeout: String(seconds) };
      await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
    },
    /** A failing message goes to the dead letters after this many receives, instead of the template's number. */
    async setMaxReceives(maxReceiveCount: number) {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['RedrivePolicy'] }),
      );
      const RedrivePolicy = JSON.stringify({ ...JSON.parse(Attributes?.RedrivePolicy ?? '{}'), maxReceiveCount });
      await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { RedrivePolicy } }));
    },
    close: () => client.destroy(),
  };
}

/** Fails if something went wrong that no test provoked, or if the log contains something that it must not. */
export function expectCleanLog({ logs, errors }: TestWorld, expectedErrors: readonly string[] = []): void {
  const text = logs.join('\n');
  expect(errors.map(({ message }) => message)).toEqual(expectedErrors);
  expect(text).not.toMatch(/AccessDenied|does not allow/);
  expect(text).not.toMatch(/whsec_|16505551234|Bearer/);
  expect(text.toLowerCase()).not.toContain(canary);
}

function mapValues<K extends string, V, W>(record: Partial<Record<K, V>>, map: (value: V) => W) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value as V)])) as Partial<
    Record<K, W>
  >;
}

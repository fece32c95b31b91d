import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { replayDelivery } from '#functions/deliveries/contracts.ts';
import { resumeWebhook } from '#functions/webhooks/contracts.ts';
import { seededTokens } from '#local/seed.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { metricsOf } from '../../support/aws/log-metrics.ts';
import { apiClient } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import {
  contact,
  createNumber,
  deliveriesOf,
  envelope,
  expectCleanLog,
  postEvent,
  soon,
  soonInLog,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

/** Longer than a message waits in the queue. */
const environment = { DELIVERY_RETRY_SCHEDULE: '3600' };

let dataDir: string;
let receiver: Receiver;
let waiting: TestNumber;
let dead: TestNumber;

/** The same world, 29 hours later. */
let later: TestWorld;

async function send(world: TestWorld, number: TestNumber, count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, index) => textMessage(`canary ${index}`));
  const body = envelope(number, { contacts: [contact], messages });
  expect(await postEvent(world.description.base_url, body)).toBe(200);
}

async function states({ table }: TestWorld, number: TestNumber): Promise<Record<string, number>> {
  const groups = Map.groupBy(await deliveriesOf(table, number), ({ state }) => state);
  return Object.fromEntries([...groups].map(([state, { length }]) => [state, length]));
}

const pathOf = (number: TestNumber) => new URL(String(number.webhook)).pathname;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'long-waits-'));
  receiver = await startReceiver();
  const world = await startTestWorld({ dataDir, environment });
  waiting = await createNumber(world.table, { webhook: `${receiver.url}/waiting` });
  dead = await createNumber(world.table, { webhook: `${receiver.url}/dead` });
  for (const number of [waiting, dead]) receiver.script(pathOf(number), [{ status: 503 }]);
  await send(world, waiting, 1);
  await vi.waitFor(async () => expect(await states(world, waiting)).toEqual({ waiting: 1 }), soonInLog);
  // Each waits for the one before to be counted, so the tenth opens the breaker.
  for (let failures = 1; failures <= 10; failures += 1) {
    await send(world, dead, 1);
    const counted = async () => (await breakerStore(world.table).read(dead.id, 'webhook'))?.breaker;
    await vi.waitFor(async () => expect(await counted()).toMatchObject({ failures }), soonInLog);
  }
  await send(world, dead, 5);
  await vi.waitFor(async () => expect(await states(world, dead)).toEqual({ waiting: 10, held: 5 }), soonInLog);
  await world.close();
  expectCleanLog(world);

  receiver.script('/waiting', [{}]);
  later = await startTestWorld({ dataDir, environment, sweepSeconds: 1, clockOffsetSeconds: 29 * 3600 });
});
afterAll(async () => {
  await later.close();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('the sweep finds deliveries that wait longer than a queue message can, even after a restart', async () => {
  await expect.poll(() => states(later, waiting), soonInLog).toEqual({ delivered: 1 });
  expect(receiver.received('/waiting')).toHaveLength(2);
});

it('a target that fails for long is paused and logged, and gets everything once it is resumed', async () => {
  const paused = () => later.logs.filter((line) => line.includes('"target.paused"'));
  await expect.poll(paused, soon).toHaveLength(1);
  expect(paused()[0]).toContain(dead.id);
  expect(metricsOf(paused())).toContain('TargetsPaused');
  await expect.poll(() => states(later, dead), soonInLog).toEqual({ held: 15 });
  const before = receiver.received('/dead').length;
  await send(later, dead, 3);
  await expect.poll(() => states(later, dead), soonInLog).toEqual({ held: 18 });

  const api = apiClient(later.description.base_url, { token: seededTokens.owner, params: { number: dead.id } });
  const [held] = await deliveriesOf(later.table, dead);
  expect((await api.call(replayDelivery, { params: { delivery: String(held?.id) } })).status).toBe(400);
  expect(receiver.received('/dead')).toHaveLength(before);

  receiver.script('/dead', [{}]);
  expect(await api.succeed(resumeWebhook, { body: {} })).toEqual({ resumed: ['webhook'] });
  await expect.poll(() => states(later, dead), soonInLog).toEqual({ delivered: 18 });
  expectCleanLog(later);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { required } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { notificationHeaders } from '#shared/delivery/attempt.ts';
import { changeTarget } from '#shared/delivery/change-target.ts';
import type { ProcessContext } from '#shared/delivery/delivery-context.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import { startDrain } from '#shared/delivery/drain.ts';
import type { NotificationEvent } from '#shared/ingestion/event-items.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { ingest } from '#shared/ingestion/ingest.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts';
import { rememberSecrets, secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { createSecret, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { tableCosts } from '#support/aws/table-cost.ts';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { fakeIngestion } from '#support/fakes/fake-ingestion.ts';
import { forAllTests } from '#support/for-tests.ts';
import { memoryStores } from '#support/memory-stores/memory-stores.ts';
import { answered, deliveryEngine, type Engine, timedOut } from '#support/worlds/delivery-engine.ts';
import { contact, createNumber, envelope, type TestNumber, textMessage } from '#support/worlds/delivery-world.ts';
import { deliverNotifications as definition } from './contracts.ts';
import { type Dependencies, makeHandler } from './deliver-notifications.ts';

let engine: Engine;
let number: TestNumber;
let logged: LogEntry[];

/** A process that takes no messages itself. */
const takesNone = {
  source: { receive: () => Promise.reject(new Error('It takes messages')), delete: async () => {} },
  wait: () => new Promise(() => {}),
};

beforeEach(async () => {
  logged = captureLog();
  engine = deliveryEngine();
  number = await engine.newNumber();
});

/** The ids of the messages that go back to the queue. */
async function handle(bodies: readonly unknown[], overrides: Partial<Dependencies> = {}): Promise<string[]> {
  const Records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  const { batchItemFailures } = await makeHandler({ ...engine.context(), ...takesNone, ...overrides })({
    Records,
  } as SQSEvent);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const batch = (count = 10) => Array.from({ length: count }, (_, index) => engine.notification(number, String(index)));

const webhook = { name: 'webhook', isOwner: false };

describe('a change of a number’s settings', () => {
  /** One process, batch after batch, fed by ingestion. */
  function startDeliveryProcess() {
    let reads = 0;
    let readsOfSecrets = 0;
    const { targets, secrets, queue } = engine;
    const read = (id: string) => {
      reads++;
      return targets.read(id);
    };
    const readSecrets = (id: string) => {
      readsOfSecrets++;
      return secrets.get(id);
    };
    const now = () => engine.clock.now;
    const handler = makeHandler({
      ...engine.context(),
      ...takesNone,
      targets: { ...targets, read },
      secretsFor: rememberSecrets(readSecrets, now),
    });
    const ingestion = { ...fakeIngestion().context, findNumber: targets.findByPhoneNumberId, queue, now };
    return {
      reads: () => reads,
      readsOfSecrets: () => readsOfSecrets,
      async bring(kind: NotificationEvent['kind'] = 'message') {
        const { phone_number_id: phoneNumberId } = number;
        const event = { kind, phoneNumberId, notification: {}, key: newId(), timestampMs: engine.clock.now };
        await ingest([event as NotificationEvent], ingestion);
      },
      async handleAll() {
        engine.posts.length = 0;
        const Records = engine.queued.splice(0).map(({ message }) => ({ body: JSON.stringify(message) }));
        await handler({ Records } as SQSEvent);
        return engine.posts.map(({ url }) => url).sort();
      },
    };
  }
  const hook = 'https://example.com/hook';
  let deliveryProcess: ReturnType<typeof startDeliveryProcess>;

  beforeEach(async () => {
    deliveryProcess = startDeliveryProcess();
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
    // The second time with the secrets that it remembers.
    expect([deliveryProcess.reads(), deliveryProcess.readsOfSecrets()]).toEqual([2, 1]);
  });

  it('applies to the next event: another target', async () => {
    await engine.targets.setUrls(number.id, { secondary_webhook: 'https://example.com/second' });
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook, 'https://example.com/second']);
    expect(await engine.states(number)).toEqual({ delivered: 4 });
  });

  it('applies to the next event: another URL', async () => {
    await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual(['https://example.com/new']);
  });

  it('applies to the next event: a URL that was removed and set again', async () => {
    await engine.targets.setUrls(number.id, { webhook: null });
    await deliveryProcess.bring();
    expect(engine.queued).toEqual([]);
    await engine.targets.setUrls(number.id, { webhook: hook });
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
  });

  it('applies to the next event: a number that was switched off and on', async () => {
    const { numbers } = engine;
    await numbers.set(number.id, { active: false });
    await deliveryProcess.bring();
    expect(engine.queued).toEqual([]);
    await numbers.set(number.id, { active: true });
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
  });

  it('applies to the next event: another secret', async () => {
    const { secrets, clock } = engine;
    await rotateSecret(number, { secrets, now: () => clock.now });
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
    const stored = await secrets.get(number.id);
    expect(stored?.replaced?.map(({ secret }) => secret)).toEqual([number.secret]);
    expect(engine.posts.map(({ headers }) => headers)).toMatchObject(
      engine.posts.map(({ id, body }) =>
        notificationHeaders({ id, body: String(body), secrets: required(stored) }, clock.now),
      ),
    );
    expect(deliveryProcess.readsOfSecrets()).toBe(2);
  });

  it('applies to the next event: other headers', async () => {
    const context = engine.changeContext();
    for (const value of ['one', 'two']) {
      await changeTarget(number, webhook, { headers: { 'x-client': value } }, context);
      await deliveryProcess.bring();
      await deliveryProcess.handleAll();
      expect(engine.posts).toMatchObject([{ headers: { 'x-client': value } }]);
    }
  });

  it('applies to the next event: another server gets no headers of the one before', async () => {
    const { targets } = engine;
    const context = engine.changeContext();
    await changeTarget(number, webhook, { headers: { 'x-client': 'secret' } }, context);
    await targets.setUrls(number.id, { webhook: 'https://elsewhere.example.com/hook' });
    await deliveryProcess.bring();
    await deliveryProcess.handleAll();
    expect(engine.posts).toHaveLength(1);
    expect(engine.posts[0]?.headers).not.toHaveProperty('x-client');
  });

  it('holds for a backlog that came before it', async () => {
    await deliveryProcess.bring();
    await engine.numbers.set(number.id, { active: false });
    expect(await deliveryProcess.handleAll()).toEqual([]);
    expect(await engine.states(number)).toEqual({ delivered: 2, discarded: 1 });
  });

  it('that closes a breaker applies to the next event', async () => {
    await engine.breakTarget(number.id, 120_000);
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([]);
    expect(await engine.states(number)).toEqual({ delivered: 2, held: 1 });
    await engine.breakers.startDraining(number.id, 'webhook', newId(), engine.clock.now);
    await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toEqual([hook]);
  });

  it('is read once for all messages of a batch', async () => {
    for (let count = 0; count < 10; count++) await deliveryProcess.bring();
    expect(await deliveryProcess.handleAll()).toHaveLength(10);
    expect(deliveryProcess.reads()).toBe(3);
  });
});

it('every line about an attempt says which message, delivery, subscriber and request it belongs to', async () => {
  engine.answer = async () => answered(503);
  const first = { ...engine.notification(number), request: 'request-of-the-platform' };
  const retry = { task: 'retry', subscriber: number.id, target: 'webhook', id: first.id, attempt_count: 1 } as const;
  const context = { schedule: [1] };
  expect(await handle([first], context)).toEqual([]);
  engine.clock.now += 1_000;
  expect(await handle([retry], context)).toEqual([]);
  const ids = { message: 'message-0', subscriber: number.id, target: 'webhook', delivery: first.id };
  expect(logged).toEqual([{ level: 'warn', event: 'delivery.exhausted', ...ids, request: 'request-of-the-platform' }]);
});

it('every line about a replay says which request asked for it', async () => {
  engine.answer = async () => answered(503);
  const first = { ...engine.notification(number), request: 'request-of-the-platform' };
  await handle([first], { schedule: [3_600] });
  const { subscriber, target, id } = first;
  const message = { task: 'replay', subscriber, target, id, replay: newId(), request: 'request-of-the-user' } as const;
  await handle([message], { schedule: [] });
  expect(logged).toMatchObject([{ event: 'delivery.exhausted', delivery: id, request: 'request-of-the-user' }]);
});

describe('a table that takes no more', () => {
  it.each([
    ['ProvisionedThroughputExceededException', 'Throughput exceeds the limit'],
    ['ThrottlingException', 'Throughput exceeds the limit'],
    ['RequestLimitExceeded', 'Throughput exceeds the limit'],
    ['TransactionConflictException', 'Transaction is ongoing for the item'],
  ])('by a %s has the message come again soon, without counting it as a failed receive', async (name, text) => {
    const rejected = () => Promise.reject(Object.assign(new Error(text), { name }));
    const message = engine.notification(number);
    expect(await handle([message], { deliveries: { ...engine.deliveries, claimFirst: rejected } })).toEqual([]);
    expect(engine.queued).toEqual([{ message: { ...message, returns: 1 }, due: engine.clock.now + 4_000 }]);
    const { id: delivery, target } = message;
    const ids = { message: 'message-0', subscriber: number.id, target, delivery };
    expect(logged).toEqual([{ level: 'warn', event: 'delivery.postponed', ...ids, error: name }]);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 1 });
  });

  it('leaves no held delivery without a message if some of the calls that release them are throttled', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 60);
    await engine.run();
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    await startDrain(number.id, 'webhook', engine.context());
    engine.clock.now += 2_000;
    const [step] = engine.queued.splice(0);
    let calls = 0;
    const { deliveries } = memoryStores(engine.memory, async (action, _detail, effect) => {
      if (action === 'release' && ++calls > 35)
        throw Object.assign(new Error('too many'), { name: 'ThrottlingException' });
      return effect();
    });
    expect(await handle([step?.message], { deliveries })).toEqual([]);
    expect(await engine.states(number)).toEqual({ waiting: 35, held: 25 });
    await engine.run({ for: 10_000 });
    expect(await engine.states(number)).toEqual({ delivered: 60 });
    expect(engine.posts).toHaveLength(60);
  });

  it('holds no message that the queue does not take, either', async () => {
    const throttled = () => Promise.reject(Object.assign(new Error('no'), { name: 'ThrottlingException' }));
    const queue = { send: () => Promise.reject(new Error('no queue')) };
    const deliveries = { ...engine.deliveries, claimFirst: throttled };
    expect(await handle(batch(1), { deliveries, queue })).toEqual(['message-0']);
  });
});

describe('a batch', () => {
  it('is delivered side by side', async () => {
    let inProgress = 0;
    let maxInProgress = 0;
    engine.answer = async () => {
      maxInProgress = Math.max(maxInProgress, ++inProgress);
      await expect.poll(() => maxInProgress, { interval: 1 }).toBe(10);
      inProgress--;
      return answered(200);
    };
    expect(await handle(batch())).toEqual([]);
    expect(await engine.states(number)).toEqual({ delivered: 10 });
  });

  it('of which some receivers fail returns no message to the queue: each failure gets a new message', async () => {
    engine.answer = async ({ body }) => answered(['2', '5', '7'].includes(String(body)) ? 500 : 200);
    const messages = batch();
    expect(await handle(messages)).toEqual([]);
    expect(await engine.states(number)).toEqual({ delivered: 7, waiting: 3 });
    const failed = [2, 5, 7].map((index) => messages[index]?.id);
    expect(engine.queued.map(({ message }) => 'id' in message && message.id).sort()).toEqual(failed.sort());
  });

  it('returns exactly the messages that failed because of our own fault', async () => {
    const broken = ['2', '5', '7'];
    const readPayload: ProcessContext['readPayload'] = async (payload) => {
      if ('text' in payload && broken.includes(payload.text)) throw new Error('no bucket');
      return 'text' in payload ? payload.text : '';
    };
    expect(await handle(batch(), { readPayload })).toEqual(['message-2', 'message-5', 'message-7']);
    expect(engine.posts).toHaveLength(7);
    expect(logged.filter(({ event }) => event === 'delivery.failed')).toHaveLength(3);
  });

  it.each([
    ['no JSON', '{'],
    ['no message', '{}'],
    ['a message of an unknown kind', '{"do":"dance"}'],
    [
      'a message about no subscriber',
      JSON.stringify({ task: 'retry', subscriber: 'x', target: 'webhook', id: 'x', attempt_count: 1 }),
    ],
  ])('keeps %s from harming the others', async (_, poison) => {
    expect(await handle([...batch(2), poison])).toEqual(['message-2']);
    expect(logged).toMatchObject([{ level: 'error', event: 'delivery.failed', message: 'message-2', error: 'Error' }]);
    expect(await engine.states(number)).toEqual({ delivered: 2 });
  });

  it('never throws, whatever fails', async () => {
    const fails = () => Promise.reject(new Error('out of order'));
    const all = batch(3).map((_, index) => `message-${index}`);
    expect(await handle(batch(3), { targets: { ...engine.targets, read: fails } })).toEqual(all);
    expect(await handle(batch(3), { secretsFor: fails })).toEqual(all);
    expect(await handle(batch(3), { deliveries: { ...engine.deliveries, claimFirst: fails } })).toEqual(all);
    expect(await handle(batch(3), { deliveries: { ...engine.deliveries, record: fails } })).toEqual(all);
    expect(await handle(batch(3), { sender: { post: fails, close() {} } })).toEqual(all);
  });

  it('may hold a message of a target’s backlog, too', async () => {
    const drain = { task: 'drain', subscriber: number.id, target: 'webhook', token: number.id };
    expect(await handle([drain, ...batch(1)])).toEqual([]);
    expect(await engine.states(number)).toEqual({ delivered: 1 });
  });

  it('to receivers that never respond ends after the time of one attempt, which fits into the timeout', async () => {
    const attempts: number[] = [];
    const allBegun = Promise.withResolvers<void>();
    engine.answer = async ({ timeoutMs }) => {
      attempts.push(timeoutMs);
      if (attempts.length === 10) allBegun.resolve();
      await allBegun.promise;
      return timedOut;
    };
    expect(await handle(batch())).toEqual([]);
    expect(attempts).toEqual(Array(10).fill(10_000));
    expect(definition.timeoutSeconds).toBeGreaterThanOrEqual(20);
    expect(Object.keys(await engine.states(number))).not.toContain('sending');
  });

  it('logs nothing of what it sends', async () => {
    engine.answer = async () => answered(500, {}, 'an answer');
    await handle([engine.notification(number, 'private words'), 'private words']);
    expect(JSON.stringify(logged)).not.toMatch(/private words|an answer|whsec_|example\.com/);
  });
});

describe('while a batch waits for a receiver', () => {
  let deleted: string[];
  let receives: number;

  /** Handles one message whose receiver hangs until the process has received `times` times and had time for more. */
  async function hangDuring(times: number, receive: () => readonly unknown[]) {
    const hang = Promise.withResolvers<void>();
    let receivesBefore = 0;
    engine.answer = async ({ body }) => {
      if (String(body) === 'hangs') await hang.promise;
      return answered(200);
    };
    const release = async () => {
      for (let turns = 0; turns < 20; turns++) await nextTurn();
      receivesBefore = receives;
      hang.resolve();
    };
    const source = {
      async receive() {
        await nextTurn();
        receives++;
        if (receives === times) void release();
        const messages = receives <= times ? receive() : [];
        return messages.map((message, index) => ({
          messageId: `taken-${receives}-${index}`,
          body: JSON.stringify(message),
          receiptHandle: `receipt-${receives}-${index}`,
        }));
      },
      async delete(handled: readonly { receiptHandle: string }[]) {
        deleted.push(...handled.map(({ receiptHandle }) => receiptHandle));
      },
    };
    const failed = await handle([engine.notification(number, 'hangs')], { source, wait: () => nextTurn() });
    return { failed, receivesBefore };
  }

  beforeEach(() => {
    deleted = [];
    receives = 0;
  });

  it('its process delivers what else is in the queue, and leaves there what it failed to handle', async () => {
    expect((await hangDuring(1, () => [...batch(2), { task: 'unknown' }])).failed).toEqual([]);
    expect(engine.posts.slice(1).map(({ body }) => body)).toEqual(['0', '1']);
    expect(deleted).toEqual(['receipt-1-0', 'receipt-1-1']);
    expect(await engine.states(number)).toEqual({ delivered: 3 });
  });

  it('its process takes no more while it has 25 batches in hand', async () => {
    const { receivesBefore } = await hangDuring(24, () => [engine.notification(number, 'hangs')]);
    expect([receivesBefore, deleted.length]).toEqual([24, 24]);
  });

  it('its process takes no more when there is no time left for an attempt', async () => {
    await hangDuring(1, () => {
      engine.clock.now += 15_000;
      return batch(1);
    });
    expect([receives, deleted]).toEqual([1, ['receipt-1-0']]);
  });

  it('its process leaves in the queue what arrives too late for an attempt', async () => {
    await hangDuring(1, () => {
      engine.clock.now += 21_000;
      return batch(1);
    });
    expect([deleted, engine.posts.length]).toEqual([[], 1]);
  });

  it.each([
    ['more', { text: 'small' }, ['queue.failed']],
    ['no more, if it has read a payload that is too large for a message', { blob: 'large' }, []],
  ])('its process takes %s', async (_, payload, events) => {
    const hang = Promise.withResolvers<void>();
    engine.answer = async () => {
      await hang.promise;
      return answered(200);
    };
    const wait = async () => {
      await nextTurn();
      if (engine.posts.length === 1) void nextTurn().then(() => hang.resolve());
    };
    // The queue of such a process rejects a receive.
    expect(await handle([{ ...engine.notification(number), payload }], { wait })).toEqual([]);
    expect(logged.map(({ event }) => event)).toEqual(events);
  });

  it('its process takes no more if it waits for the table', async () => {
    const stuck = Promise.withResolvers<void>();
    let waits = 0;
    const wait = async () => {
      await nextTurn();
      if (++waits === 3) stuck.resolve();
    };
    const claimFirst: typeof engine.deliveries.claimFirst = async (...claim) => {
      await stuck.promise;
      return engine.deliveries.claimFirst(...claim);
    };
    expect(await handle(batch(1), { wait, deliveries: { ...engine.deliveries, claimFirst } })).toEqual([]);
    expect([logged, engine.posts.length]).toEqual([[], 1]);
  });

  it('a queue that cannot be read changes nothing for the batch', async () => {
    const { failed } = await hangDuring(1, () => {
      throw new Error('no queue');
    });
    expect(failed).toEqual([]);
    expect(logged).toMatchObject([{ level: 'warn', event: 'queue.failed' }]);
    expect(await engine.states(number)).toEqual({ delivered: 1 });
  });
});

describe('from the event to the receiver', () => {
  const dynamodb = forAllTests(startTestTable);

  /** The calls of AWS for one notification of an app, made by processes that know the number. */
  async function callsFor(format: Format) {
    const { table } = dynamodb;
    const cost = tableCosts(table);
    const targets = targetStore(table);
    const its = await createNumber(table, {});
    const settings = { url: 'https://example.com/hook', secret: createSecret(), app_secret: 'x'.repeat(32) };
    await targets.createTarget(its.id, 'crm.1', { ...settings, format });
    const now = () => engine.clock.now;
    const calls: string[] = [];
    const queue: ProcessContext['queue'] = {
      async send(messages) {
        calls.push('SendMessageBatch');
        await engine.queue.send(messages);
      },
    };
    const fake = fakeIngestion();
    const ingestion = { ...fake.context, findNumber: targets.findByPhoneNumberId, queue, now };
    const handler = makeHandler({
      ...{ ...engine.context(), ...takesNone, targets, queue },
      ...{ deliveries: deliveryStore(table), breakers: breakerStore(table) },
      secretsFor: rememberSecrets(secretStore(table).get, now),
    });
    const notify = async () => {
      calls.length = 0;
      const body = envelope(its, { contacts: [contact], messages: [textMessage('Hello')] });
      await ingest(splitEvents(body, now()), ingestion);
      const Records = engine.queued.splice(0).map(({ message }) => ({ body: JSON.stringify(message) }));
      await handler({ Records } as SQSEvent);
    };
    await notify();
    calls.push(...(await cost(notify)).calls);
    expect(fake.blobs.size).toBe(0);
    return calls;
  }

  it.each(['standard', 'meta'] as const)('a notification in the format %s takes five calls of AWS', async (format) => {
    expect(await callsFor(format)).toEqual(['SendMessageBatch', 'PutItem', 'Query', 'Query', 'UpdateItem']);
    const signed = Object.keys(engine.posts.at(-1)?.headers ?? {}).includes(hubSignatureHeader);
    expect([engine.posts.length, signed]).toEqual([2, format === 'meta']);
  });
});

import { expect, it } from 'vitest';
import type { ClaimedDelivery, Delivery, DeliveryState, DueDelivery } from '#shared/delivery/delivery.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { FirstAttempt, Replay, Retry } from '#shared/delivery/notification.ts';
import type { Breaker } from '#shared/webhooks/breaker.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { builtInTargets, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { Memory } from '#support/memory-stores/memory.ts';
import { type MemoryStores, memoryStores } from '#support/memory-stores/memory-stores.ts';
import { type Random, seededRandom } from './random.ts';

const dynamodb = forAllTests(() => startTestTable());

const sequences = 1;
const operationsEach = 250;

const start = Date.UTC(2026, 0, 31);
const [oneUrl, otherUrl] = ['https://one.example/', 'https://two.example/'];
const urls = [oneUrl, otherUrl];
const tokens = ['one', 'two'];

/** Two of one name, of which only one can exist at a time. */
const ownTargets = ['crm.1', 'crm.2', 'bot.3'] as const;
const allTargets = [...builtInTargets, ...ownTargets];

/** What both stores are asked for. Few ids and values, so that operations meet. */
interface Model {
  random: Random;
  number: PhoneNumber;
  ids: readonly string[];
  now: number;
  /** What claims and lists have returned, which later operations take. */
  claimed: ClaimedDelivery[];
  due: DueDelivery[];
}

type Stores = MemoryStores;
type Operation = (stores: Stores) => Promise<unknown>;

const first = ({ random, number, ids, now }: Model): FirstAttempt => ({
  ...{ task: 'deliver', subscriber: number.id, target: random.pick(allTargets), id: random.pick(ids), kind: 'message' },
  ...{ payload: { text: '{}' }, created_at: now, target_version: random.below(3) },
});

const retry = (model: Model): Retry => {
  const { subscriber, target, id } = first(model);
  return { task: 'retry', subscriber, target, id, attempt_count: model.random.below(3) };
};

const replay = (model: Model): Replay => {
  const { subscriber, target, id } = first(model);
  return { task: 'replay', subscriber, target, id, replay: model.random.pick(model.ids) };
};

const lease = ({ random, now }: Model) => ({ holder: random.pick(tokens), until: now + random.below(3) * 1_000 });

const target = ({ random }: Model) => random.pick(allTargets);

const states: readonly DeliveryState[] = ['delivered', 'waiting', 'held', 'exhausted'];

/** The result of an attempt, as a delivery process would record it. */
function result({ random, now }: Model, claimed: ClaimedDelivery) {
  const state = random.pick(states);
  const attempt = { at: now, duration_ms: 5, status: 500 };
  const wait = state === 'waiting' ? { next_attempt_at: now + random.below(4_000), look_after_at: now + 2_000 } : {};
  return { state, attempt, attempt_count: claimed.attempt_count + 1, ...wait };
}

const changeOfHeaders = ({ random }: Model) =>
  random.pick([undefined, null, { origin: 'https://one.example', headers: { 'x-own': random.pick(tokens) } }]);

const secretsOfChange = ({ random }: Model) => ({
  app_secret: random.pick([undefined, ...tokens]),
  verify_token: random.pick([undefined, ...tokens]),
});

const urlOfChange = ({ random }: Model) => ({
  url: random.pick([undefined, undefined, oneUrl, null]),
  format: random.pick([undefined, 'standard', 'meta'] as const),
});

/** Draws the operations, each for the model as it is then. */
const operations: readonly ((model: Model) => Operation)[] = [
  (model) => call('claimFirst', first(model), lease(model), model.now),
  (model) => call('claimFirst', first(model), lease(model), model.now),
  (model) => call('claimRetry', retry(model), lease(model), model.now),
  (model) => call('claimProbe', retry(model), lease(model), model.now),
  (model) => call('claimReplay', replay(model), lease(model), model.now),
  (model) => call('hold', model.random.pick([first, retry])(model), model.now),
  (model) => call('discardFirst', first(model), model.now),
  (model) => call('discard', retry(model), model.now),
  ...Array.from({ length: 4 }, () => (model: Model): Operation => {
    const claimed = model.claimed.length > 0 ? model.random.pick(model.claimed) : undefined;
    return claimed ? call('record', claimed, result(model, claimed)) : async () => undefined;
  }),
  (model) => {
    const due = model.due.length > 0 ? model.random.pick(model.due) : undefined;
    return due ? call('postpone', due, model.now + 1_000) : async () => undefined;
  },
  ({ number, now, random }) => {
    const at = random.pick(allTargets);
    return async ({ deliveries }) => {
      const held = await Array.fromAsync(deliveries.listHeld(number.id, at));
      const { released, errors } = await deliveries.release(held, now, now + 5_000);
      return [released.map(({ id }) => id), errors];
    };
  },
  (model) => {
    const { random } = model;
    const [at, url] = [random.pick(builtInTargets), random.pick([...urls, null])];
    const seen = random.chance(0.5) ? { [at]: { version: random.below(8) } } : {};
    return ({ targets }) => targets.setUrls(model.number.id, { [at]: url }, seen);
  },
  (model) => {
    const { random, number } = model;
    const [at, headers, events] = [target(model), changeOfHeaders(model), random.pick([undefined, null, ['message']])];
    const changes = { events, headers, ...secretsOfChange(model), ...urlOfChange(model) };
    const version = random.chance(0.5) ? { version: random.below(8) } : {};
    return ({ targets }) => targets.changeTarget(number.id, at, { ...changes, ...version });
  },
  ...Array.from({ length: 2 }, () => (model: Model): Operation => {
    const { random, number } = model;
    const settings = { url: random.pick(urls), secret: random.pick(tokens), ...secretsOfChange(model) };
    const at = random.pick(ownTargets);
    return ({ targets }) => targets.createTarget(number.id, at, settings);
  }),
  ({ number, random }) => {
    const at = random.pick(ownTargets);
    return ({ targets }) => targets.deleteTarget(number.id, at);
  },
  (model) => {
    const { random, number } = model;
    const failed = Array.from({ length: random.between(1, 3) }, () => random.pick(model.ids));
    const [at, url] = [target(model), random.pick(urls)];
    return ({ breakers }) => breakers.countFailures(number.id, at, { url, failed });
  },
  ({ number: { id }, now, ...model }) => {
    const { random } = model;
    const [at, url, token] = [random.pick(allTargets), random.pick(urls), random.pick(tokens)];
    const failures = { url, failed: [random.pick(model.ids)], now, probeAt: now + 1_000 };
    const open = (breakers: MemoryStores['breakers'], breaker: Breaker) => breakers.open(id, at, breaker, failures);
    return random.pick<Operation>([
      async ({ breakers }) => open(breakers, (await breakers.read(id, at))?.breaker ?? { failures: 0 }),
      ({ breakers }) => open(breakers, { failures: random.below(4) }),
      async ({ breakers }) =>
        breakers.takeProbe(id, at, (await breakers.read(id, at))?.breaker ?? { failures: 0 }, now, now + 500),
      ({ breakers }) => breakers.pause(id, at, now),
      ({ breakers }) => breakers.clearFailures(id, at),
      ({ breakers }) => breakers.reset(id, at),
      ({ breakers }) => breakers.noteAnnounced(id, at, { name: token, isPause: url === oneUrl }),
      ({ breakers }) => breakers.startDraining(id, at, token, now),
      ({ breakers }) => breakers.continueDraining(id, at, token, now, url === oneUrl ? tokens[1] : undefined),
      ({ breakers }) => breakers.endDraining(id, at, token),
    ]);
  },
  ({ number, random, now }) => {
    const [expected, current] = [random.pick(tokens), random.pick(tokens)];
    const replaced = [{ secret: expected, valid_until: now }];
    const at = random.pick([undefined, ...ownTargets]);
    return ({ secrets }) => secrets.replace(number, expected, { current, replaced }, at);
  },
  ({ number, random }) => {
    const active = random.chance(0.5);
    return ({ numbers }) => numbers.set(number.id, { active });
  },
];

function call<Name extends keyof MemoryStores['deliveries']>(
  name: Name,
  ...args: Parameters<MemoryStores['deliveries'][Name]>
): Operation {
  return ({ deliveries }) => (deliveries[name] as (...all: typeof args) => Promise<unknown>)(...args);
}

/** Everything that a store says of the number. */
async function contents(
  { deliveries, targets: settings, breakers, secrets, numbers }: Stores,
  { id }: PhoneNumber,
  now: number,
) {
  const place = ({ id, target }: Pick<Delivery, 'id' | 'target'>) => `${id} ${target}`;
  const inOrder = (one: Delivery, other: Delivery) => (place(one) < place(other) ? -1 : 1);
  const all = await Array.fromAsync(
    deliveries.search({ subscriber: id, targets: allTargets, order: 'newest-first', filter: {} }),
    ({ delivery }) => delivery,
  );
  const found = all.filter((delivery): delivery is Delivery => delivery !== undefined);
  return {
    number: await numbers.get(id),
    settings: await settings.read(id),
    secrets: await secrets.get(id),
    deliveries: found.sort(inOrder),
    held: await Promise.all(allTargets.map((target) => Array.fromAsync(deliveries.listHeld(id, target)))),
    due: (await Array.fromAsync(deliveries.listDue(now))).filter(({ subscriber }) => subscriber === id).sort(inOrder),
    tripped: (await Array.fromAsync(breakers.listOpenOrDraining()))
      .filter(({ subscriber }) => subscriber === id)
      .sort((one, other) => (one.target < other.target ? -1 : 1)),
  };
}

it.each(Array.from({ length: sequences }, (_, index) => index + 1))(
  'the stores in memory do what those of the table do, sequence %i',
  async (seed) => {
    const random = seededRandom(seed);
    const { table } = dynamodb;
    const real: Stores = {
      ...{ deliveries: deliveryStore(table), breakers: breakerStore(table), targets: targetStore(table) },
      ...{ secrets: secretStore(table), numbers: numberStore(table) },
    };
    const inMemory = memoryStores(new Memory({ pageSize: 2 }));
    const number: PhoneNumber = {
      ...{ id: random.uuid(start), workspace: random.uuid(start), phone_number_id: String(random.below(1e12)) },
      ...{ display_phone_number: '+15550100001', active: true, calling_enabled: true, created_at: start },
    };
    const ids = Array.from({ length: 4 }, () => random.uuid(start));
    const model: Model = { random, number, ids, now: start, claimed: [], due: [] };
    for (const stores of [real, inMemory]) {
      await stores.numbers.create(number, tokens[0]);
      await stores.targets.setUrls(number.id, { webhook: oneUrl, secondary_webhook: otherUrl });
    }
    for (let count = 0; count < operationsEach; count++) {
      model.now += random.below(1_500);
      const operation = random.pick(operations)(model);
      // A client that lost the response makes the same call again.
      for (let times = random.chance(0.2) ? 2 : 1; times > 0; times--) {
        const [expected, actual] = [await operation(real), await operation(inMemory)];
        expect(actual).toEqual(expected);
        const { claimed } = Object(actual) as { claimed?: ClaimedDelivery };
        if (claimed) model.claimed = [...model.claimed.slice(-3), claimed];
      }
      const there = await contents(inMemory, number, model.now);
      // Reading everything costs more than all operations in between.
      if (count % 25 === 0) expect(there).toEqual(await contents(real, number, model.now));
      model.due = there.due;
    }
  },
);

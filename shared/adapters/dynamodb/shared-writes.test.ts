import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { After } from '#shared/base/after.ts';
import { newId } from '#shared/base/ids.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { deliveryId } from '#shared/domain/deliveries/delivery-id.ts';
import type { ClaimedDelivery, DeliveryStore, Lease, Result } from '#shared/domain/deliveries/delivery-store.ts';
import type { FirstAttempt, Retry } from '#shared/domain/deliveries/message.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { AwsError } from '../aws/aws-error.ts';
import { BatchExecuteStatementCommand } from './commands.ts';
import { deliveryStore } from './deliveries.ts';
import { sharedWrites } from './shared-writes.ts';
import type { Table, TableClient } from './table.ts';

const now = Date.UTC(2026, 0, 31);
const size = 10;
const positions = Array.from({ length: size }, (_, position) => position);

let dynamodb: TestTable;
beforeAll(async () => {
  dynamodb = await startTestTable();
});
afterAll(() => dynamodb.close());

type Item = Record<string, unknown>;

let calls: string[];
let failWith: Error | undefined;
/** The first shared call that fails, if any does. */
let failsFrom: number;
/** What a shared call returns instead of an item. */
let returned: (item: Item) => Item | undefined;
beforeEach(() => {
  calls = [];
  failWith = undefined;
  failsFrom = 1;
  returned = (item) => item;
});

/** The table, with a note of each call. */
function notedTable(): Table {
  const { table } = dynamodb;
  const send = async (command: Parameters<TableClient['send']>[0]) => {
    calls.push(command.constructor.name.replace('Command', ''));
    if (!(command instanceof BatchExecuteStatementCommand)) return table.client.send(command);
    if (failWith && calls.length >= failsFrom) throw failWith;
    const { Responses = [] } = await table.client.send(command);
    return { Responses: Responses.map(({ Item, ...response }) => ({ ...response, Item: Item && returned(Item) })) };
  };
  return { ...table, client: { send } as unknown as TableClient };
}

const never: After = () => () => undefined;

const leaseOf = (holder: string): Lease => ({ holder, expires_at: now + 10_000 });

function message(): FirstAttempt {
  const number = newId();
  return {
    do: 'deliver',
    number,
    target: 'webhook',
    id: deliveryId({ number, target: 'webhook', key: 'wamid', timestampMs: now }),
    kind: 'message',
    payload: { text: '' },
    created_at: now,
  };
}

/** A store whose writes are shared by the messages of one batch, and one that makes each write by itself. */
function stores(parties = size) {
  const writes = sharedWrites(notedTable(), parties, never);
  return { shared: deliveryStore(notedTable(), writes), alone: deliveryStore(dynamodb.table), writes };
}

async function claimAll(store: DeliveryStore, messages: readonly FirstAttempt[], holder = 'me') {
  return Promise.all(messages.map((each) => store.claimFirst(each, leaseOf(holder), now)));
}

const claimed = async (store: DeliveryStore, messages: readonly FirstAttempt[]): Promise<ClaimedDelivery[]> =>
  (await claimAll(store, messages)).map((claim) => {
    if (!claim.claimed) throw new Error(`Not claimed: ${claim.why}`);
    return claim.claimed;
  });

const recordAll = (store: DeliveryStore, deliveries: readonly ClaimedDelivery[]) => {
  const attempt = { at: now, duration_ms: 20, outcome: 'answered', status: 200 } as unknown as Result['attempt'];
  return Promise.all(deliveries.map((each) => store.record(each, { state: 'delivered', attempt_count: 1, attempt })));
};

const statesOf = (messages: readonly FirstAttempt[]) =>
  Promise.all(messages.map(async ({ number, id }) => (await deliveryStore(dynamodb.table).get(number, id))?.state));

/** Deliveries whose first attempt failed, and that wait no longer. */
async function waiting(): Promise<Retry[]> {
  const { alone } = stores();
  const deliveries = await claimed(alone, positions.map(message));
  const attempt = { at: now, duration_ms: 20, outcome: 'answered', status: 500 } as unknown as Result['attempt'];
  const result = { state: 'waiting', attempt_count: 1, attempt, next_attempt_at: now, look_after_at: now } as const;
  await Promise.all(deliveries.map((each) => alone.record(each, result)));
  return deliveries.map(({ number, target, id }) => ({ do: 'retry', number, target, id, attempt_count: 1 }));
}

const claimRetries = (store: DeliveryStore, retries: readonly Retry[], holder = 'me') =>
  Promise.all(retries.map((each) => store.claimRetry(each, leaseOf(holder), now)));

const retryOf = ({ number, target, id, attempt_count }: Delivery): Retry => ({
  ...{ do: 'retry', number, target, id, attempt_count },
});

/** Deliveries that are held. */
async function held(count: number): Promise<Delivery[]> {
  const { alone } = stores();
  const messages = Array.from({ length: count }, message);
  await Promise.all(messages.map((each) => alone.hold(each, now)));
  const deliveries = await Promise.all(messages.map(({ number, id }) => alone.get(number, id)));
  return deliveries.filter((delivery) => delivery !== undefined);
}

const release = (deliveries: readonly Delivery[]) => deliveryStore(notedTable()).release(deliveries, now, now + 1_000);

describe('the claims of retries in a batch', () => {
  it('share one call, and return the same deliveries as single ones', async () => {
    const { shared, alone } = stores(size / 2);
    const retries = await waiting();
    const together = await claimRetries(shared, retries.slice(0, size / 2));
    expect(calls).toEqual(['BatchExecuteStatement']);
    const singly = await claimRetries(alone, retries.slice(size / 2));
    const [first, ...others] = [...together, ...singly].map(({ claimed: delivery }) => ({
      ...delivery,
      id: '',
      number: '',
    }));
    expect(first).toMatchObject({ state: 'sending', attempt_count: 1, lease: leaseOf('me') });
    expect(others).toEqual(Array(size - 1).fill(first));
    const stored = await Promise.all(retries.map(({ number, id }) => alone.get(number, id)));
    expect(stored).toEqual([...together, ...singly].map(({ claimed: delivery }) => delivery));
  });

  it.each(positions)(
    'succeed for the others when the one at position %i belongs to somebody else',
    async (position) => {
      const { shared, alone } = stores();
      const retries = await waiting();
      await claimRetries(alone, retries.slice(position, position + 1), 'somebody else');
      const claims = await claimRetries(shared, retries);
      expect(claims.map((claim) => claim.claimed?.lease.holder ?? ('why' in claim && claim.why))).toEqual(
        positions.map((each) => (each === position ? 'in-progress' : 'me')),
      );
      expect(calls).toEqual(['BatchExecuteStatement', 'Update']);
    },
  );

  it.each(positions)('succeed for the others when the wait of the one at position %i is not over', async (position) => {
    const { shared } = stores();
    const retries = await waiting();
    const claims = await Promise.all(
      retries.map((each, at) => shared.claimRetry(each, leaseOf('me'), at === position ? now - 5_001 : now)),
    );
    expect(claims.map((claim) => claim.claimed?.lease.holder ?? ('why' in claim && claim.why))).toEqual(
      positions.map((each) => (each === position ? 'early' : 'me')),
    );
  });

  it('that are probes are writes of their own', async () => {
    const { shared } = stores(2);
    const probes = (await held(2)).map(retryOf);
    const claims = await Promise.all(probes.map((each) => shared.claimProbe(each, leaseOf('me'), now)));
    expect(claims.map(({ claimed: delivery }) => delivery?.state)).toEqual(['sending', 'sending']);
    expect(calls).toEqual(['Update', 'Update']);
  });

  it.each([
    [
      'although its response was lost',
      async (retries: readonly Retry[]) => void (await claimRetries(stores().alone, retries)),
    ],
    [
      'although DynamoDB returns no items',
      async () => {
        returned = () => undefined;
      },
    ],
    [
      'although DynamoDB returns the items as they were',
      async () => {
        returned = ({ lease, ...item }) => ({ ...item, state: 'waiting' });
      },
    ],
  ])('recognise what was executed %s', async (_, disturb) => {
    const { shared } = stores(2);
    const retries = (await waiting()).slice(0, 2);
    await disturb(retries);
    expect((await claimRetries(shared, retries)).map((claim) => claim.claimed?.lease.holder)).toEqual(['me', 'me']);
    expect(calls.filter((call) => call === 'Update')).toHaveLength(2);
  });
});

describe('the release of held deliveries', () => {
  it('takes a call for 25 of them', async () => {
    const deliveries = await held(60);
    await release(deliveries);
    expect(calls).toEqual(Array(3).fill('BatchExecuteStatement'));
    const stored = await Promise.all(deliveries.map(({ number, id }) => stores().alone.get(number, id)));
    expect(stored).toEqual(deliveries.map((each) => ({ ...each, state: 'waiting', next_attempt_at: now })));
  });

  it('takes no more than a single write for one', async () => {
    const deliveries = await held(1);
    await release(deliveries);
    expect(calls).toEqual(['Update']);
    expect((await claimRetries(stores().alone, deliveries.map(retryOf)))[0]).toHaveProperty('claimed');
  });

  it.each(positions)('releases the others when the one at position %i is being sent', async (position) => {
    const { alone } = stores();
    const deliveries = await held(size);
    for (const probe of deliveries.slice(position, position + 1)) {
      await alone.claimProbe(retryOf(probe), leaseOf('me'), now);
    }
    await release(deliveries);
    const stored = await Promise.all(deliveries.map(({ number, id }) => alone.get(number, id)));
    expect(stored.map((each) => each?.state)).toEqual(
      positions.map((each) => (each === position ? 'sending' : 'waiting')),
    );
    expect(calls).toEqual(['BatchExecuteStatement', 'Update']);
  });

  it('says which of them it has released when one of the calls is throttled', async () => {
    const deliveries = await held(55);
    failWith = Object.assign(new Error('no table'), { name: 'ThrottlingException' });
    failsFrom = 3;
    expect(await release(deliveries)).toEqual({ released: deliveries.slice(0, 50), errors: Array(5).fill(failWith) });
    const stored = await Promise.all(deliveries.map(({ number, id }) => stores().alone.get(number, id)));
    expect(stored.map((each) => each?.state)).toEqual([...Array(50).fill('waiting'), ...Array(5).fill('held')]);
  });
});

describe('the writes of a batch', () => {
  it('share one call for all claims and one for all results', async () => {
    const { shared } = stores();
    const messages = positions.map(message);
    const deliveries = await claimed(shared, messages);
    expect(await statesOf(messages)).toEqual(Array(size).fill('sending'));
    expect(await recordAll(shared, deliveries)).toEqual(Array(size).fill(true));
    expect(calls).toEqual(['BatchExecuteStatement', 'BatchExecuteStatement']);
    expect(await statesOf(messages)).toEqual(Array(size).fill('delivered'));
  });

  it('store the same items as single writes', async () => {
    const { shared, alone } = stores(2);
    const [one, other, ...rest] = [message(), message(), message(), message()];
    const deliveries = [
      ...(await claimed(shared, [one as FirstAttempt, other as FirstAttempt])),
      ...(await claimed(alone, rest)),
    ];
    await recordAll(shared, deliveries.slice(0, 2));
    await recordAll(alone, deliveries.slice(2));
    const items = await Promise.all(deliveries.map(({ number, id }) => alone.get(number, id)));
    const [first, ...others] = items.map((item) => ({ ...item, id: '', number: '' }));
    expect(first).toMatchObject({ state: 'delivered', attempt_count: 1 });
    expect(first).not.toHaveProperty('lease');
    expect(others).toEqual(Array(3).fill(first));
  });

  it.each(positions)('claim the others when the delivery at position %i belongs to somebody else', async (position) => {
    const { shared, alone } = stores();
    const messages = positions.map(message);
    await alone.claimFirst(messages[position] as FirstAttempt, leaseOf('somebody else'), now);
    const claims = await claimAll(shared, messages);
    expect(claims.map((claim) => claim.claimed?.lease.holder ?? ('why' in claim && claim.why))).toEqual(
      positions.map((each) => (each === position ? 'in-progress' : 'me')),
    );
    expect(calls).toEqual(['BatchExecuteStatement', 'Put']);
  });

  it.each(positions)('record the others when somebody took over the delivery at position %i', async (position) => {
    const { shared, alone } = stores();
    const messages = positions.map(message);
    const deliveries = await claimed(shared, messages);
    const later = now + 20_000;
    await alone.claimFirst(messages[position] as FirstAttempt, leaseOf('somebody else'), later);
    expect(await recordAll(shared, deliveries)).toEqual(positions.map((each) => each !== position));
    expect(await statesOf(messages)).toEqual(positions.map((each) => (each === position ? 'sending' : 'delivered')));
    expect(calls.slice(1)).toEqual(['BatchExecuteStatement', 'Update']);
  });

  it('recognise a claim that was executed although its response was lost', async () => {
    const { shared, alone } = stores(2);
    const messages = [message(), message()];
    await claimAll(alone, messages);
    expect((await claimAll(shared, messages)).map((claim) => claim.claimed?.lease.holder)).toEqual(['me', 'me']);
  });

  it.each(['ThrottlingException', 'TimeoutError'])('fail together when the call ends with a %s', async (name) => {
    failWith = Object.assign(new Error('no table'), { name });
    const { shared } = stores(2);
    const claims = await Promise.allSettled(
      [message(), message()].map((each) => shared.claimFirst(each, leaseOf('me'), now)),
    );
    expect(claims).toEqual(Array(2).fill({ status: 'rejected', reason: failWith }));
  });

  it.each([
    ['DynamoDB', new AwsError('ValidationException', '', 400)],
    ['the client', new TypeError('Unsupported type passed')],
  ])('are made singly when %s rejects the call', async (_, error) => {
    failWith = error;
    const { shared } = stores(2);
    const deliveries = await claimed(shared, [message(), message()]);
    expect(await recordAll(shared, deliveries)).toEqual([true, true]);
    expect(calls).toEqual(['BatchExecuteStatement', 'Put', 'Put', 'BatchExecuteStatement', 'Update', 'Update']);
  });

  it.each<[string, unknown]>([
    ['a number that the table cannot hold', Number.NaN],
    ['a value of a type that the table does not have', () => undefined],
  ])('succeed for the others when one has %s', async (_, value) => {
    const { shared } = stores(2);
    const faulty = { ...message(), settings_version: value } as FirstAttempt;
    const claims = await Promise.allSettled(
      [faulty, message()].map((each) => shared.claimFirst(each, leaseOf('me'), now)),
    );
    expect(claims.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('record singly what the shared call could not, because the attempts were made', async () => {
    const { shared } = stores(2);
    const deliveries = await claimed(shared, [message(), message()]);
    failWith = Object.assign(new Error('no table'), { name: 'ThrottlingException' });
    expect(await recordAll(shared, deliveries)).toEqual([true, true]);
  });

  it('do not name an item twice in a call', async () => {
    const { shared } = stores(3);
    const twice = message();
    const claims = await Promise.all(
      [twice, twice, message(), message()].map((each, index) => shared.claimFirst(each, leaseOf(`${index}`), now)),
    );
    const [first, second, ...others] = claims.map(({ claimed: delivery }) => delivery !== undefined);
    expect([first, second].sort()).toEqual([false, true]);
    expect(others).toEqual([true, true]);
    expect(calls.filter((call) => call === 'BatchExecuteStatement')).toHaveLength(1);
  });

  it('need no call of their own kind when there is only one', async () => {
    const { shared } = stores(1);
    await recordAll(shared, await claimed(shared, [message()]));
    expect(calls).toEqual(['Put', 'Update']);
  });

  it('take more calls where one is full', async () => {
    const { shared } = stores(60);
    await claimed(shared, Array.from({ length: 50 }, message));
    expect(calls).toEqual(['BatchExecuteStatement', 'BatchExecuteStatement']);
  });

  it('wait for no party that has left', async () => {
    const { shared, writes } = stores(3);
    const both = claimed(shared, [message(), message()]);
    writes.leave();
    expect(await both).toHaveLength(2);
    expect(calls).toEqual(['BatchExecuteStatement']);
  });

  /** Timers that a test runs out by itself. */
  function notedTimers() {
    const timers: { ms: number; run: () => void; isCancelled: boolean }[] = [];
    const after: After = (ms, run) => {
      const timer = { ms, run, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    };
    return { timers, after };
  }

  it('wait for longer if they are results, but a claim among them does not', async () => {
    const { timers, after } = notedTimers();
    const [delivery] = await claimed(stores().alone, [message()]);
    if (!delivery) throw new Error('Nothing was claimed');
    calls = [];
    const shared = deliveryStore(notedTable(), sharedWrites(notedTable(), 5, after));
    const attempt = { at: now, duration_ms: 20, status: 200 };
    const recorded = shared.record(delivery, { state: 'delivered', attempt_count: 1, attempt });
    const claims = claimed(shared, [message()]);
    expect(timers.map(({ ms }) => ms)).toEqual([100, 20]);
    timers[1]?.run();
    expect(await recorded).toBe(true);
    expect(await claims).toHaveLength(1);
    expect(calls).toEqual(['BatchExecuteStatement']);
    expect(timers.every(({ isCancelled }) => isCancelled)).toBe(true);
  });

  it('wait only for some time for the others', async () => {
    const { timers, after } = notedTimers();
    const shared = deliveryStore(notedTable(), sharedWrites(notedTable(), 5, after));
    const early = claimed(shared, [message(), message()]);
    timers[0]?.run();
    expect(await early).toHaveLength(2);
    expect(calls).toEqual(['BatchExecuteStatement']);
    await claimed(shared, Array.from({ length: 5 }, message));
    expect(timers.map(({ ms, isCancelled }) => [ms, isCancelled])).toEqual([
      [20, true],
      [20, true],
    ]);
  });
});

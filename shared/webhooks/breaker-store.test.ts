import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import type { Breaker } from './breaker.ts';
import { type BreakerStore, breakerStore } from './breaker-store.ts';
import { numberStore } from './number-store.ts';
import type { PhoneNumber, Target } from './subscriber.ts';
import { type TargetStore, targetStore } from './subscriber-store.ts';

const now = Date.UTC(2026, 0, 31);
const probeAt = now + 10_000;
const url = 'https://example.com/hook';

let breakers: BreakerStore;
let targets: TargetStore;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  breakers = breakerStore(dynamodb.table);
  targets = targetStore(dynamodb.table);
});

/** A number whose targets all have the same URL. */
async function newNumber(): Promise<PhoneNumber> {
  const number: PhoneNumber = {
    ...{ id: newId(), workspace: newId(), phone_number_id: newId(), display_phone_number: '+55 11 4000-0001' },
    ...{ active: true, calling_enabled: false, created_at: now },
  };
  await numberStore(dynamodb.table).create(number);
  await targets.setUrls(number.id, { webhook: url, secondary_webhook: url, calls_webhook: url });
  return number;
}

async function newWorkspace(): Promise<string> {
  const id = newId();
  await workspaceStore(dynamodb.table).create({ id, name: 'Acme', waba_id: null, created_at: now });
  await targets.setUrls(id, { webhook: url });
  return id;
}

const breakerOf = async (subscriber: string, target: Target = 'webhook') =>
  (await breakers.read(subscriber, target))?.breaker;
const versionOf = async (subscriber: string, target: Target = 'webhook') =>
  (await targets.read(subscriber))?.targets[target]?.version;

/** Counts the failure of a delivery to the subscriber's URL. */
const countOne = (subscriber: string, delivery: string) =>
  breakers.countFailures(subscriber, 'webhook', { url, failed: [delivery] });

/** Opens a breaker that has counted nothing. */
const open = (subscriber: string, target: Target = 'webhook', openedAt = now) =>
  breakers.open(subscriber, target, { failures: 0 }, { url, failed: ['first'], now: openedAt, probeAt });

const opened = { failures: 1, first_delivery: 'first', opened_at: now, probe_at: probeAt, probes: 0 };

/** The id of a number whose webhook is failing. */
async function openTarget(): Promise<string> {
  const { id } = await newNumber();
  await open(id);
  return id;
}

async function drainingTarget(token: string): Promise<string> {
  const id = await openTarget();
  await breakers.startDraining(id, 'webhook', token, now);
  return id;
}

const tripped = async (subscriber: string) =>
  (await Array.fromAsync(breakers.listOpenOrDraining())).filter((found) => found.subscriber === subscriber);

/** The item of a target, with the attributes that only the table needs. */
async function itemOf(subscriber: string, target: Target) {
  const { client, name: TableName } = dynamodb.table;
  return (await client.send(new GetCommand({ TableName, Key: keys.target(subscriber, target) }))).Item;
}

describe('failures', () => {
  it('are all counted even if they happen at once, from the first delivery on', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    await Promise.all(Array.from({ length: 9 }, () => countOne(id, 'other')));
    expect(await breakers.read(id, 'webhook')).toEqual({
      ...{ url, version: 1 },
      breaker: { failures: 10, first_delivery: 'first' },
    });
  });

  it('that come together are counted in one write, from the first of them on', async () => {
    const { id } = await newNumber();
    await breakers.countFailures(id, 'webhook', { url, failed: ['one', 'two', 'three'] });
    expect(await breakerOf(id)).toEqual({ failures: 3, first_delivery: 'one' });
  });

  it.each([
    ['another URL by now', { webhook: 'https://example.com/new' }],
    ['no URL any more', { webhook: null }],
  ])('are not counted for a target that has %s, and do not open its breaker', async (_, change) => {
    const { id } = await newNumber();
    await targets.setUrls(id, change);
    await countOne(id, 'first');
    expect(await open(id)).toBe(false);
    expect(await breakerOf(id)).toEqual({ failures: 0 });
  });

  it('are read from the breaker of their target, which every target has', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    expect(await breakerOf(id)).toEqual({ failures: 1, first_delivery: 'first' });
    expect(await breakerOf(id, 'secondary_webhook')).toEqual({ failures: 0 });
    expect(await breakerOf(newId())).toBeUndefined();
  });

  it('are reset for each target separately', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    await breakers.countFailures(id, 'secondary_webhook', { url, failed: ['first'] });
    await breakers.reset(id, 'webhook');
    expect(await breakerOf(id)).toEqual({ failures: 0 });
    expect(await breakerOf(id, 'secondary_webhook')).toMatchObject({ failures: 1 });
    await breakers.reset(id, 'webhook');
    expect(await breakerOf(id)).toEqual({ failures: 0 });
  });

  it('are counted from the start after a reset', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    await breakers.reset(id, 'webhook');
    await countOne(id, 'second');
    expect(await breakerOf(id)).toEqual({ failures: 1, first_delivery: 'second' });
  });

  it('are not reset for a target whose breaker has opened meanwhile, or that is being drained', async () => {
    const open = await openTarget();
    await breakers.reset(open, 'webhook');
    expect(await breakerOf(open)).toMatchObject({ opened_at: now });
    const draining = await drainingTarget('token');
    await breakers.reset(draining, 'webhook');
    expect(await breakerOf(draining)).toMatchObject({ drain: { token: 'token' } });
  });

  it('are cleared for a target that is being drained, and for no other', async () => {
    const id = await drainingTarget('token');
    await countOne(id, 'first');
    await breakers.clearFailures(id, 'webhook');
    const cleared = await breakerOf(id);
    expect(cleared).toMatchObject({ failures: 0, drain: { token: 'token' } });
    expect(cleared).not.toHaveProperty('first_delivery');

    const { id: failing } = await newNumber();
    await countOne(failing, 'first');
    await breakers.clearFailures(failing, 'webhook');
    expect(await breakerOf(failing)).toEqual({ failures: 1, first_delivery: 'first' });
  });
});

describe('an open breaker', () => {
  it('is opened by failures that are counted with it, and counts no more', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    const failures = { url, failed: ['second', 'third'], now, probeAt };
    expect(await breakers.open(id, 'webhook', { failures: 1 }, failures)).toBe(true);
    await countOne(id, 'fourth');
    expect(await breakerOf(id)).toEqual({ ...opened, failures: 3 });
  });

  it('is not opened if the streak has ended or gone on since the caller read it', async () => {
    const { id } = await newNumber();
    await countOne(id, 'first');
    for (const failures of [0, 2]) {
      expect(await breakers.open(id, 'webhook', { failures }, { url, failed: ['second'], now, probeAt })).toBe(false);
    }
    expect(await breakerOf(id)).toEqual({ failures: 1, first_delivery: 'first' });
  });

  it('is opened by one of all processes that try at once', async () => {
    const { id } = await newNumber();
    const tries = await Promise.all([1, 2, 3].map((more) => open(id, 'webhook', now + more)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await breakerOf(id)).toMatchObject({ failures: 1 });
  });

  it('stays open if its target gets another URL', async () => {
    const id = await openTarget();
    await targets.setUrls(id, { webhook: 'https://example.com/new' });
    expect(await breakerOf(id)).toEqual(opened);
    expect(await tripped(id)).toMatchObject([{ target: 'webhook', breaker: { opened_at: now } }]);
  });

  it('gives a due probe to one of all processes that ask', async () => {
    const id = await openTarget();
    const seen = (await breakerOf(id)) ?? { failures: 0 };
    const take = () => breakers.takeProbe(id, 'webhook', seen, probeAt, probeAt + 30_000);
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await breakerOf(id)).toMatchObject({ probe_at: probeAt + 30_000, probes: 1 });
  });

  it('gives no probe before it is due', async () => {
    const id = await openTarget();
    const seen = (await breakerOf(id)) ?? { failures: 0 };
    expect(await breakers.takeProbe(id, 'webhook', seen, probeAt - 1, probeAt + 30_000)).toBe(false);
    expect(await breakerOf(id)).toMatchObject({ probe_at: probeAt, probes: 0 });
  });

  it('gives no probe once it has closed', async () => {
    const id = await openTarget();
    const seen = (await breakerOf(id)) ?? { failures: 0 };
    await breakers.startDraining(id, 'webhook', 'token', now);
    expect(await breakers.takeProbe(id, 'webhook', seen, probeAt, probeAt + 30_000)).toBe(false);
  });

  it('an open breaker is paused only once', async () => {
    const id = await openTarget();
    expect(await breakers.pause(id, 'webhook', now + 1)).toBe(true);
    expect(await breakers.pause(id, 'webhook', now + 2)).toBe(false);
    expect(await breakerOf(id)).toMatchObject({ paused_at: now + 1 });
  });

  it('that is paused is not listed among targets in trouble, once that is announced, until it is drained', async () => {
    const id = await openTarget();
    expect(await tripped(id)).toHaveLength(1);
    await breakers.pause(id, 'webhook', now);
    await breakers.noteAnnounced(id, 'webhook', { name: 'opened', isPause: false });
    expect(await tripped(id)).toHaveLength(1);
    await breakers.noteAnnounced(id, 'webhook', { name: 'paused', isPause: true });
    expect(await tripped(id)).toHaveLength(0);
    expect(await breakerOf(id)).toMatchObject({ announced: 'paused', paused_at: now });
    expect(await breakers.startDraining(id, 'webhook', 'token', now)).toBe(true);
    expect(await tripped(id)).toHaveLength(1);
  });

  it('is not paused while it is closed, and stays as it is', async () => {
    const { id } = await newNumber();
    expect(await breakers.pause(id, 'webhook', now)).toBe(false);
    expect(await breakerOf(id)).toEqual({ failures: 0 });
  });
});

describe('draining', () => {
  it('closes an open or paused breaker for one of all processes that try', async () => {
    const id = await openTarget();
    await countOne(id, 'first');
    await breakers.pause(id, 'webhook', now);
    const tokens = ['one', 'two'];
    const started = await Promise.all(tokens.map((token) => breakers.startDraining(id, 'webhook', token, now + 1)));
    expect(started.filter(Boolean)).toHaveLength(1);
    const breaker = await breakerOf(id);
    expect(breaker).toMatchObject({
      failures: 0,
      drain: { token: tokens[started.indexOf(true)], since: now + 1, at: now + 1 },
      last_opened_at: now,
    });
    for (const gone of ['opened_at', 'probe_at', 'probes', 'paused_at', 'first_delivery']) {
      expect(breaker).not.toHaveProperty(gone);
    }
  });

  it('has begun when the client repeats a write whose first response was lost', async () => {
    const { id } = await newNumber();
    await open(id);
    const start = (token: string) => breakers.startDraining(id, 'webhook', token, now);
    expect([await start('mine'), await start('mine'), await start('other')]).toEqual([true, true, false]);
  });

  it('does not begin unless a breaker is open, and changes nothing then', async () => {
    const { id } = await newNumber();
    expect(await breakers.startDraining(id, 'webhook', 'token', now)).toBe(false);
    expect(await breakerOf(id)).toEqual({ failures: 0 });
    await countOne(id, 'first');
    expect(await breakers.startDraining(id, 'webhook', 'token', now)).toBe(false);
    expect(await breakerOf(id)).toEqual({ failures: 1, first_delivery: 'first' });
  });

  it('continues for the process that owns it, and can change owner', async () => {
    const id = await drainingTarget('one');
    expect(await breakers.continueDraining(id, 'webhook', 'other', now + 1)).toBe(false);
    expect(await breakers.continueDraining(id, 'webhook', 'one', now + 2)).toBe(true);
    expect(await breakers.continueDraining(id, 'webhook', 'one', now + 3, 'two')).toBe(true);
    expect(await breakers.continueDraining(id, 'webhook', 'one', now + 4)).toBe(false);
    expect((await breakerOf(id))?.drain).toEqual({ token: 'two', since: now, at: now + 3 });
  });

  it('ends when the breaker opens again, and when the backlog is released', async () => {
    const reopened = await drainingTarget('one');
    await open(reopened);
    expect(await breakers.continueDraining(reopened, 'webhook', 'one', now)).toBe(false);
    expect(await breakerOf(reopened)).not.toHaveProperty('drain');

    const done = await drainingTarget('one');
    await breakers.endDraining(done, 'webhook', 'another');
    expect(await breakerOf(done)).toHaveProperty('drain');
    await breakers.endDraining(done, 'webhook', 'one');
    expect(await breakers.continueDraining(done, 'webhook', 'one', now)).toBe(false);
    expect(await breakerOf(done)).toEqual({ failures: 0 });
  });

  it('leaves the target in no index when it has ended, with everything that is set for it', async () => {
    const id = await drainingTarget('one');
    await targets.changeTarget(id, 'webhook', { events: ['messages'] });
    expect(await itemOf(id, 'webhook')).toMatchObject({ gsi1pk: 'TRIPPED' });
    await breakers.endDraining(id, 'webhook', 'one');
    expect(await itemOf(id, 'webhook')).toEqual({
      ...keys.target(id, 'webhook'),
      ...{ url, events: ['messages'], version: 2, breaker: { failures: 0 } },
    });
  });
});

it('the version of a target stays as it is when its breaker is probed, paused, drained, closed or reset', async () => {
  const id = await openTarget();
  const version = await versionOf(id);
  const seen = (await breakerOf(id)) ?? { failures: 0 };
  expect(await breakers.takeProbe(id, 'webhook', seen, probeAt, probeAt)).toBe(true);
  expect(await breakers.pause(id, 'webhook', now)).toBe(true);
  await breakers.noteAnnounced(id, 'webhook', { name: 'opened', isPause: false });
  expect(await breakers.startDraining(id, 'webhook', 'token', now)).toBe(true);
  expect(await breakers.continueDraining(id, 'webhook', 'token', now, 'next')).toBe(true);
  await breakers.clearFailures(id, 'webhook');
  await breakers.endDraining(id, 'webhook', 'next');
  await breakers.reset(id, 'webhook');
  expect(await versionOf(id)).toBe(version);
});

describe('targets in trouble', () => {
  it('include open breakers and those being drained, but not targets that have only failed', async () => {
    const open = await openTarget();
    const draining = await drainingTarget('token');
    const { id: failing } = await newNumber();
    await countOne(failing, 'first');
    const healed = await drainingTarget('token');
    await breakers.endDraining(healed, 'webhook', 'token');

    expect(await tripped(open)).toEqual([
      {
        ...{ subscriber: open, target: 'webhook' },
        breaker: opened,
      },
    ]);
    expect(await tripped(draining)).toMatchObject([{ target: 'webhook', breaker: { drain: { token: 'token' } } }]);
    expect([...(await tripped(failing)), ...(await tripped(healed))]).toEqual([]);
  });

  it('are told apart by subscriber and target', async () => {
    const { id } = await newNumber();
    const workspace = await newWorkspace();
    await open(id, 'calls_webhook', now + 1);
    await open(id, 'secondary_webhook', now + 2);
    await open(workspace, 'webhook', now + 3);
    const openedAt = async (subscriber: string) =>
      (await tripped(subscriber)).map(({ target, breaker }) => [target, breaker.opened_at]);
    expect(await openedAt(id)).toEqual([
      ['calls_webhook', now + 1],
      ['secondary_webhook', now + 2],
    ]);
    expect(await openedAt(workspace)).toEqual([['webhook', now + 3]]);
    expect(await breakerOf(id)).toEqual({ failures: 0 });
  });
});

it('a workspace has a circuit breaker like a number', async () => {
  const id = await newWorkspace();
  await open(id);
  expect((await targets.read(id))?.targets.webhook).toEqual({ url, version: 1, breaker: opened });
});

describe('a target that does not exist', () => {
  const seen: Breaker = { failures: 10, opened_at: now, probe_at: now, probes: 0 };

  type Transition = [string, (subscriber: string, target: Target) => Promise<unknown>, unknown];

  /** Every transition, and what it returns if there is no target. */
  const transitions: Transition[] = [
    ['countFailures', (id, target) => breakers.countFailures(id, target, { url, failed: ['first'] }), undefined],
    ['clearFailures', (id, target) => breakers.clearFailures(id, target), undefined],
    ['open', (id, target) => open(id, target), false],
    ['takeProbe', (id, target) => breakers.takeProbe(id, target, seen, now, probeAt), false],
    ['pause', (id, target) => breakers.pause(id, target, now), false],
    ...[false, true].map(
      (isPause): Transition => [
        `noteAnnounced of ${isPause ? 'a pause' : 'anything else'}`,
        (id, target) => breakers.noteAnnounced(id, target, { name: 'event', isPause }),
        undefined,
      ],
    ),
    ['startDraining', (id, target) => breakers.startDraining(id, target, 'token', now), false],
    ['continueDraining', (id, target) => breakers.continueDraining(id, target, 'token', now, 'next'), false],
    ['reset', (id, target) => breakers.reset(id, target), undefined],
    ['endDraining', (id, target) => breakers.endDraining(id, target, 'token'), undefined],
  ];

  it.each(transitions)('is not created by %s for a subscriber that was deleted', async (_, change, result) => {
    const number = await newNumber();
    await numberStore(dynamodb.table).delete(number);
    expect(await change(number.id, 'webhook')).toEqual(result);
    const { client, name: TableName } = dynamodb.table;
    const { Items } = await client.send(
      new QueryCommand({
        ...{ TableName, ConsistentRead: true, KeyConditionExpression: 'pk = :pk' },
        ExpressionAttributeValues: { ':pk': keys.number(number.id).pk },
      }),
    );
    expect(Items).toEqual([]);
    expect(await breakerOf(number.id)).toBeUndefined();
    expect(await tripped(number.id)).toEqual([]);
  });

  it.each(transitions)('is not created by %s for a workspace, which has no such target', async (_, change, result) => {
    const id = await newWorkspace();
    const before = await targets.read(id);
    expect(await change(id, 'calls_webhook')).toEqual(result);
    expect(await itemOf(id, 'calls_webhook')).toBeUndefined();
    expect(await targets.read(id)).toEqual(before);
  });

  it('takes its trouble with it when it is deleted while its breaker is open', async () => {
    const id = await openTarget();
    const { client, name: TableName } = dynamodb.table;
    await client.send(new DeleteCommand({ TableName, Key: keys.target(id, 'webhook') }));
    expect(await tripped(id)).toEqual([]);
  });
});

import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import { workspaceSubscriber } from '#shared/domain/accounts/subscriber.ts';
import type { TargetStore, TrippedTarget } from '#shared/domain/deliveries/target-store.ts';
import { awsError } from '#support/aws-error.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { getRecord } from './item.ts';
import { keys } from './keys.ts';
import { numberStore } from './numbers.ts';
import { targetStore } from './targets.ts';

const now = Date.UTC(2026, 0, 31);
const probeAt = now + 10_000;

let dynamodb: TestTable;
let targets: TargetStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  targets = targetStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

async function newNumber(members: Partial<PhoneNumber> = {}): Promise<PhoneNumber> {
  const number: PhoneNumber = {
    id: newId(),
    workspace: newId(),
    phone_number_id: newId(),
    display_phone_number: '+55 11 4000-0001',
    active: true,
    calling_enabled: false,
    created_at: now,
    ...members,
  };
  await numberStore(dynamodb.table).create(number);
  return number;
}

const breakerOf = async (number: string) => (await targets.read(number))?.breakers.webhook;

/** The id of a number whose webhook is failing. */
async function openTarget(): Promise<string> {
  const { id } = await newNumber();
  await targets.open(id, 'webhook', now, probeAt);
  return id;
}

async function drainingTarget(token: string): Promise<string> {
  const id = await openTarget();
  await targets.startDraining(id, 'webhook', token, now);
  return id;
}

describe('the settings of a number', () => {
  it('include everything that decides how its notifications are delivered', async () => {
    const number = await newNumber({ webhook: 'https://example.com/hook' });
    expect(await targets.read(number.id)).toEqual({ subscriber: number, secrets: undefined, breakers: {} });
    await targets.createSecrets(number.id, { current: 'whsec_1' });
    await targets.countFailures(number.id, 'webhook', [{ delivery: 'delivery-1', attempt: newId() }]);
    await targets.countFailures(number.id, 'calls_webhook', [{ delivery: 'delivery-2', attempt: newId() }]);
    expect(await targets.read(number.id)).toEqual({
      subscriber: number,
      secrets: { current: 'whsec_1' },
      breakers: {
        webhook: { failures: 1, first_delivery: 'delivery-1', last_counted: expect.any(String) },
        calls_webhook: { failures: 1, first_delivery: 'delivery-2', last_counted: expect.any(String) },
      },
    });
  });

  it('include the events and the headers of its targets', async () => {
    const number = await newNumber();
    const [a, b] = ['x-a', 'x-b'].map((name) => ({ origin: 'https://example.com', headers: { [name]: '1' } }));
    expect(await targets.changeTarget(number, 'webhook', { events: ['messages'], headers: a })).toBe(true);
    expect(await targets.changeTarget(number, 'calls_webhook', { headers: b })).toBe(true);
    expect(await targets.read(number.id)).toEqual({
      subscriber: { ...number, webhook_events: ['messages'], settings_version: 4 },
      secrets: undefined,
      headers: { webhook: a, calls_webhook: b },
      breakers: {},
    });
    await targets.changeTarget(number, 'webhook', { headers: null });
    await targets.changeTarget(number, 'webhook', {});
    await targets.changeTarget(number, 'webhook', { events: null });
    expect(await targets.read(number.id)).toEqual({
      subscriber: { ...number, settings_version: 8 },
      secrets: undefined,
      headers: { calls_webhook: b },
      breakers: {},
    });
  });

  it('cannot be changed for a number that does not exist, and then no headers are stored', async () => {
    const headers = { origin: 'https://example.com', headers: { 'x-a': '1' } };
    const deleted = { id: newId(), workspace: newId() };
    expect(await targets.changeTarget(deleted, 'webhook', { events: ['messages'] })).toBe(false);
    expect(await targets.changeTarget(deleted, 'webhook', { headers })).toBe(false);
    expect(await getRecord(dynamodb.table, keys.headers(deleted.id))).toBeUndefined();
  });

  it('do not exist for an unknown number', async () => {
    expect(await targets.read(newId())).toBeUndefined();
  });

  it('are found by the upstream’s id of the number, in their current state', async () => {
    const number = await newNumber();
    expect(await targets.findByPhoneNumberId(number.phone_number_id)).toEqual(number);
    await targets.setUrls(number, { webhook: 'https://example.com/hook' });
    expect(await targets.findByPhoneNumberId(number.phone_number_id)).toEqual({
      ...number,
      webhook: 'https://example.com/hook',
      settings_version: 1,
    });
    expect(await targets.findByPhoneNumberId('unknown')).toBeUndefined();
  });

  it('are found even if another number now has the upstream’s id', async () => {
    const { client, name: TableName } = dynamodb.table;
    const first = await newNumber();
    const { phone_number_id } = first;
    expect(await targets.findByPhoneNumberId(phone_number_id)).toEqual(first);
    for (const Key of [keys.number(first.id), keys.phoneNumberId(phone_number_id)]) {
      await client.send(new DeleteCommand({ TableName, Key }));
    }
    expect(await targets.findByPhoneNumberId(phone_number_id)).toBeUndefined();
    const second = await newNumber({ phone_number_id });
    expect(await targets.findByPhoneNumberId(phone_number_id)).toEqual(second);

    await client.send(
      new PutCommand({ TableName, Item: { ...keys.number(second.id), ...second, phone_number_id: '7' } }),
    );
    await client.send(new DeleteCommand({ TableName, Key: keys.phoneNumberId(phone_number_id) }));
    const third = await newNumber({ phone_number_id });
    expect(await targets.findByPhoneNumberId(phone_number_id)).toEqual(third);
  });
});

describe('the upstream’s id of a number', () => {
  it('costs a second read only when it is new, and one read when it is unknown', async () => {
    const { client, name: TableName } = dynamodb.table;
    const { id, phone_number_id } = await newNumber();
    const send = vi.spyOn(client, 'send');
    const readsToFind = async () => {
      send.mockClear();
      await targets.findByPhoneNumberId(phone_number_id);
      return send.mock.calls.length;
    };
    expect([await readsToFind(), await readsToFind()]).toEqual([2, 1]);
    for (const Key of [keys.number(id), keys.phoneNumberId(phone_number_id)]) {
      await client.send(new DeleteCommand({ TableName, Key }));
    }
    expect([await readsToFind(), await readsToFind()]).toEqual([2, 1]);
    send.mockRestore();
  });
});

describe('a new version of the settings', () => {
  it('changes nothing else, and is one more each time', async () => {
    const number = await newNumber({ webhook: 'https://example.com/1' });
    await targets.addVersion(number);
    expect((await targets.read(number.id))?.subscriber).toEqual({ ...number, settings_version: 1 });
    await Promise.all([targets.addVersion(number), targets.addVersion(number)]);
    expect((await targets.read(number.id))?.subscriber).toEqual({ ...number, settings_version: 3 });
  });

  it('is that of a workspace, too', async () => {
    const workspace = workspaceSubscriber({ id: newId() });
    await targets.setUrls(workspace, { webhook: 'https://example.com/1' });
    await targets.addVersion(workspace);
    expect((await targets.read(workspace.id))?.subscriber).toMatchObject({ settings_version: 2 });
  });

  it.each([
    ['number', { id: newId(), workspace: newId() }],
    ['workspace', workspaceSubscriber({ id: newId() })],
  ])('creates no settings of a %s that was deleted', async (_, deleted) => {
    await targets.addVersion(deleted);
    expect(await targets.read(deleted.id)).toBeUndefined();
  });
});

describe('URLs', () => {
  it('can be set and removed independently', async () => {
    const number = await newNumber({ webhook: 'https://example.com/1', secondary_webhook: 'https://example.com/2' });
    const expected = { ...number, calls_webhook: 'https://example.com/3' };
    const { webhook: _, ...without } = expected;
    const changes = { webhook: null, calls_webhook: 'https://example.com/3' };
    const removed = { webhook_removed_version: 1, settings_version: 1 };
    expect(await targets.setUrls(number, changes)).toEqual({ ...without, ...removed });
    expect((await targets.read(number.id))?.subscriber).toEqual({ ...without, ...removed });
    // The removed version stays: deliveries that waited for the removed URL must not go to the next one.
    expect(await targets.setUrls(number, { webhook: 'https://example.com/1' })).toEqual({
      ...expected,
      ...removed,
      settings_version: 2,
    });
    expect(await targets.setUrls(number, { webhook: null, calls_webhook: null })).toMatchObject({
      webhook_removed_version: 3,
      calls_webhook_removed_version: 3,
      settings_version: 3,
    });
  });

  it('do not create a number that does not exist', async () => {
    const id = newId();
    expect(await targets.setUrls({ id, workspace: newId() }, { webhook: 'https://example.com/1' })).toBeUndefined();
    expect(await targets.read(id)).toBeUndefined();
  });
});

describe('signing secrets', () => {
  it('are created once, whichever process is first', async () => {
    const { id } = await newNumber();
    const wanted = ['whsec_1', 'whsec_2', 'whsec_3'];
    const made = await Promise.all(wanted.map((current) => targets.createSecrets(id, { current })));
    expect(made.toSorted()).toEqual([false, false, true]);
    expect(await targets.getSecrets(id)).toEqual({ current: wanted[made.indexOf(true)] });
  });

  it('are replaced once by all processes that saw the same secrets', async () => {
    const number = await newNumber();
    await targets.createSecrets(number.id, { current: 'whsec_1' });
    const replaced = await Promise.all(
      ['whsec_2', 'whsec_3'].map((current) =>
        targets.replaceSecrets(number, 'whsec_1', { current, replaced: [{ secret: 'whsec_1', valid_until: now }] }),
      ),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    const current = replaced[0] ? 'whsec_2' : 'whsec_3';
    expect(await targets.getSecrets(number.id)).toEqual({
      current,
      replaced: [{ secret: 'whsec_1', valid_until: now }],
    });
  });

  it('mark cached settings of the number as outdated whenever they are replaced', async () => {
    const number = await newNumber();
    const version = async () => {
      const { Item } = await dynamodb.table.client.send(
        new GetCommand({ TableName: dynamodb.table.name, Key: keys.number(number.id) }),
      );
      return Item?.settings_version ?? 0;
    };
    const before = await version();
    expect(await targets.replaceSecrets(number, undefined, { current: 'whsec_1' })).toBe(true);
    expect(await targets.replaceSecrets(number, 'whsec_1', { current: 'whsec_2' })).toBe(true);
    expect(await targets.replaceSecrets(number, 'whsec_1', { current: 'whsec_3' })).toBe(false);
    expect(await targets.replaceSecrets(number, undefined, { current: 'whsec_4' })).toBe(false);
    // Each adds one with the secrets and one after them.
    expect(await version()).toBe(before + 4);
    expect(await targets.getSecrets(number.id)).toEqual({ current: 'whsec_2' });
  });

  it('are not replaced by a write that conflicts with another', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
    const canceled = awsError('TransactionCanceledException', '', { CancellationReasons });
    const client = { send: () => Promise.reject(canceled) } as never;
    const busy = targetStore({ ...dynamodb.table, client });
    expect(await busy.replaceSecrets({ id: newId(), workspace: newId() }, 'whsec_1', { current: 'whsec_2' })).toBe(
      false,
    );
  });

  it('are not stored for a number that does not exist', async () => {
    const id = newId();
    expect(await targets.replaceSecrets({ id, workspace: newId() }, undefined, { current: 'whsec_1' })).toBe(false);
    expect(await targets.getSecrets(id)).toBeUndefined();
  });

  it('are not replaced if there are none', async () => {
    const number = await newNumber();
    expect(await targets.replaceSecrets(number, 'whsec_1', { current: 'whsec_2' })).toBe(false);
    expect(await targets.getSecrets(number.id)).toBeUndefined();
  });
});

describe('failures', () => {
  it('are all counted even if they happen at once, from the first delivery on', async () => {
    const { id } = await newNumber();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    await Promise.all(
      Array.from({ length: 9 }, () => targets.countFailures(id, 'webhook', [{ delivery: 'other', attempt: newId() }])),
    );
    expect(await targets.countFailures(id, 'webhook', [{ delivery: 'last', attempt: newId() }])).toMatchObject({
      failures: 11,
      first_delivery: 'first',
    });
  });

  it('are counted once for each attempt, even if the client repeats its write', async () => {
    const { id } = await newNumber();
    const count = (attempt: string) => targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: attempt }]);
    await count('one');
    expect(await count('one')).toMatchObject({ failures: 1, first_delivery: 'first' });
    expect(await count('two')).toMatchObject({ failures: 2 });
  });

  it('that come together are counted in one write, which starts with the first of them', async () => {
    const { id } = await newNumber();
    const failures = ['one', 'two', 'three'].map((name) => ({ delivery: `delivery-${name}`, attempt: name }));
    const count = () => targets.countFailures(id, 'webhook', failures);
    await count();
    expect(await count()).toMatchObject({ failures: 3, first_delivery: 'delivery-one' });
  });

  it('are read from the breaker of their target', async () => {
    const { id } = await newNumber();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    expect(await targets.readBreaker(id, 'webhook')).toMatchObject({ failures: 1, first_delivery: 'first' });
    expect(await targets.readBreaker(id, 'secondary_webhook')).toBeUndefined();
  });

  it('are cleared for each target separately', async () => {
    const { id } = await newNumber();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    await targets.countFailures(id, 'secondary_webhook', [{ delivery: 'first', attempt: newId() }]);
    await targets.reset(id, 'webhook');
    expect(Object.keys((await targets.read(id))?.breakers ?? {})).toEqual(['secondary_webhook']);
    await targets.reset(id, 'webhook');
  });

  it('are not cleared for a target whose breaker has opened meanwhile', async () => {
    const id = await openTarget();
    await targets.reset(id, 'webhook');
    expect(await breakerOf(id)).toMatchObject({ opened_at: now });
  });

  it('are cleared for a target that is being drained, and for no other', async () => {
    const id = await drainingTarget('token');
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    await targets.clearFailures(id, 'webhook');
    const cleared = await breakerOf(id);
    expect(cleared).toMatchObject({ failures: 0, drain: { token: 'token' } });
    expect(cleared).not.toHaveProperty('first_delivery');

    const { id: healthy } = await newNumber();
    await targets.clearFailures(healthy, 'webhook');
    expect(await breakerOf(healthy)).toBeUndefined();
  });
});

describe('a target that is slow', () => {
  const subscriberOf = async (id: string) => (await targets.read(id))?.subscriber;

  it('is noted on its number, or on its workspace, without a new version of the settings', async () => {
    const number = await newNumber();
    const workspace = { id: newId(), workspace: '' };
    workspace.workspace = workspace.id;
    for (const key of [number, workspace]) {
      const subscriber = await targets.setUrls(key, { webhook: 'https://example.com/' });
      if (subscriber) await targets.noteSlow(subscriber, 'webhook', 12, 6);
      expect(await subscriberOf(key.id)).toEqual({ ...subscriber, webhook_slow_until: 12 });
    }
  });

  it('is not noted again by a process that has not read the note, unless the note is old', async () => {
    const subscriber = await targets.setUrls(await newNumber(), { webhook: 'https://example.com/' });
    if (!subscriber) throw new Error('The number should exist');
    const slowUntil = async () => (await subscriberOf(subscriber.id))?.webhook_slow_until;
    await targets.noteSlow(subscriber, 'webhook', 60, 45);
    await targets.noteSlow(subscriber, 'webhook', 74, 59);
    expect(await slowUntil()).toBe(60);
    await targets.noteSlow(subscriber, 'webhook', 75, 60);
    expect(await slowUntil()).toBe(75);
  });

  it('starts anew with another URL, whatever comes of attempts at the previous one', async () => {
    const number = await newNumber();
    const before = await targets.setUrls(number, { webhook: 'https://example.com/slow' });
    if (before) await targets.noteSlow(before, 'webhook', 12, 6);
    await targets.setUrls(number, { webhook: 'https://example.com/new' });
    expect(await subscriberOf(number.id)).not.toHaveProperty('webhook_slow_until');
    if (before) await targets.noteSlow(before, 'webhook', 12, 6);
    expect(await subscriberOf(number.id)).not.toHaveProperty('webhook_slow_until');
  });
});

describe('an open breaker', () => {
  it('keeps its count of failures, and continues to count', async () => {
    const { id } = await newNumber();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    expect(await targets.open(id, 'webhook', now, probeAt)).toMatchObject({
      failures: 1,
      opened_at: now,
      probe_at: probeAt,
      probes: 0,
    });
    expect(await targets.countFailures(id, 'webhook', [{ delivery: 'second', attempt: newId() }])).toMatchObject({
      failures: 2,
      opened_at: now,
    });
  });

  it('gives a due probe to one of all processes that ask', async () => {
    const id = await openTarget();
    const seen = (await breakerOf(id)) ?? { failures: 0 };
    const take = () => targets.takeProbe(id, 'webhook', seen, probeAt, probeAt + 30_000);
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await breakerOf(id)).toMatchObject({ probe_at: probeAt + 30_000, probes: 1 });
  });

  it('gives no probe once it has closed', async () => {
    const id = await openTarget();
    const seen = (await breakerOf(id)) ?? { failures: 0 };
    await targets.startDraining(id, 'webhook', 'token', now);
    expect(await targets.takeProbe(id, 'webhook', seen, probeAt, probeAt + 30_000)).toBe(false);
  });

  it('is paused only once', async () => {
    const id = await openTarget();
    expect(await targets.pause(id, 'webhook', now + 1)).toBe(true);
    expect(await targets.pause(id, 'webhook', now + 2)).toBe(false);
    expect(await breakerOf(id)).toMatchObject({ paused_at: now + 1 });
  });

  it('that is paused is not listed among targets in trouble, once that is announced, until it is drained', async () => {
    const id = await openTarget();
    const listed = async () => {
      const troubled = await Array.fromAsync(targets.listTripped());
      return troubled.some(({ number }) => number === id);
    };
    expect(await listed()).toBe(true);
    await targets.pause(id, 'webhook', now);
    await targets.noteAnnounced(id, 'webhook', { name: 'opened', isPause: false });
    expect(await listed()).toBe(true);
    await targets.noteAnnounced(id, 'webhook', { name: 'paused', isPause: true });
    expect(await listed()).toBe(false);
    expect(await breakerOf(id)).toMatchObject({ announced: 'paused', paused_at: now });
    expect(await targets.startDraining(id, 'webhook', 'token', now)).toBe(true);
    expect(await listed()).toBe(true);
  });

  it('is not paused while it is closed, and none is created', async () => {
    const { id } = await newNumber();
    expect(await targets.pause(id, 'webhook', now)).toBe(false);
    expect(await breakerOf(id)).toBeUndefined();
  });
});

describe('draining', () => {
  it('closes an open or paused breaker for one of all processes that try', async () => {
    const id = await openTarget();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    await targets.pause(id, 'webhook', now);
    const tokens = ['one', 'two'];
    const started = await Promise.all(tokens.map((token) => targets.startDraining(id, 'webhook', token, now)));
    expect(started.filter(Boolean)).toHaveLength(1);
    const breaker = await breakerOf(id);
    expect(breaker).toMatchObject({
      failures: 0,
      drain: { token: tokens[started.indexOf(true)], since: now, at: now },
    });
    for (const gone of ['opened_at', 'probe_at', 'probes', 'paused_at', 'first_delivery']) {
      expect(breaker).not.toHaveProperty(gone);
    }
  });

  it('has begun when the client repeats a write whose first response was lost', async () => {
    const { id } = await newNumber();
    await targets.open(id, 'webhook', now, now);
    const start = (token: string) => targets.startDraining(id, 'webhook', token, now);
    expect([await start('mine'), await start('mine'), await start('other')]).toEqual([true, true, false]);
  });

  it('does not begin unless a breaker is open, and creates no breaker', async () => {
    const { id } = await newNumber();
    expect(await targets.startDraining(id, 'webhook', 'token', now)).toBe(false);
    expect(await breakerOf(id)).toBeUndefined();
    await targets.countFailures(id, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    expect(await targets.startDraining(id, 'webhook', 'token', now)).toBe(false);
    expect(await breakerOf(id)).not.toHaveProperty('drain');
  });

  it('continues for the process that owns it, and can change owner', async () => {
    const id = await drainingTarget('one');
    expect(await targets.continueDraining(id, 'webhook', 'other', now + 1)).toBe(false);
    expect(await targets.continueDraining(id, 'webhook', 'one', now + 2)).toBe(true);
    expect(await targets.continueDraining(id, 'webhook', 'one', now + 3, 'two')).toBe(true);
    expect(await targets.continueDraining(id, 'webhook', 'one', now + 4)).toBe(false);
    expect((await breakerOf(id))?.drain).toEqual({ token: 'two', since: now, at: now + 3 });
  });

  it('ends when the breaker opens again, and when the backlog is released', async () => {
    const reopened = await drainingTarget('one');
    await targets.open(reopened, 'webhook', now, probeAt);
    expect(await targets.continueDraining(reopened, 'webhook', 'one', now)).toBe(false);
    expect(await breakerOf(reopened)).not.toHaveProperty('drain');

    const done = await drainingTarget('one');
    await targets.endDraining(done, 'webhook', 'another');
    expect(await breakerOf(done)).toHaveProperty('drain');
    await targets.endDraining(done, 'webhook', 'one');
    expect(await targets.continueDraining(done, 'webhook', 'one', now)).toBe(false);
    expect(await breakerOf(done)).toBeUndefined();
  });
});

describe('targets in trouble', () => {
  it('include open breakers and those being drained, but not targets that have only failed', async () => {
    const open = await openTarget();
    const draining = await drainingTarget('token');
    const { id: failing } = await newNumber();
    await targets.countFailures(failing, 'webhook', [{ delivery: 'first', attempt: newId() }]);
    const healed = await drainingTarget('token');
    await targets.endDraining(healed, 'webhook', 'token');

    const troubled: TrippedTarget[] = [];
    for await (const found of targets.listTripped()) troubled.push(found);
    const of = (number: string) => troubled.filter((found) => found.number === number);
    expect(of(open)).toMatchObject([{ target: 'webhook', breaker: { opened_at: now } }]);
    expect(of(draining)).toMatchObject([{ target: 'webhook', breaker: { drain: { token: 'token' } } }]);
    expect([...of(failing), ...of(healed)]).toEqual([]);
  });
});

describe('a workspace as a subscriber', () => {
  it('has settings from its first change on, which no reader of numbers finds', async () => {
    const workspace = workspaceSubscriber({ id: newId() });
    expect(await targets.read(workspace.id)).toBeUndefined();
    expect(await targets.setUrls(workspace, { webhook: 'https://example.com/1' })).toEqual({
      ...workspace,
      webhook: 'https://example.com/1',
      settings_version: 1,
    });
    expect(await targets.setUrls(workspace, { webhook: null })).toEqual({
      ...workspace,
      settings_version: 2,
      webhook_removed_version: 2,
    });
    expect(await numberStore(dynamodb.table).get(workspace.id)).toBeUndefined();
  });

  it('has a secret and a circuit breaker like a number', async () => {
    const workspace = workspaceSubscriber({ id: newId() });
    expect(await targets.replaceSecrets(workspace, undefined, { current: 'whsec_1' })).toBe(true);
    expect(await targets.replaceSecrets(workspace, 'whsec_1', { current: 'whsec_2' })).toBe(true);
    await targets.open(workspace.id, 'webhook', now, probeAt);
    expect(await targets.read(workspace.id)).toMatchObject({
      subscriber: { ...workspace, settings_version: 4 },
      secrets: { current: 'whsec_2' },
      breakers: { webhook: { opened_at: now } },
    });
  });
});

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, type Key, openTable, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials } from '#support/aws/aws-credentials.ts';
import { awsError } from '#support/aws/aws-error.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { watchTable } from '#support/aws/watch-table.ts';
import { forAllTests } from '#support/for-tests.ts';
import { openBreaker } from '#support/open-breaker.ts';
import { phoneNumber } from '#support/phone-number.ts';
import { breakerStore } from './breaker-store.ts';
import { numberStore } from './number-store.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import {
  builtInTargets,
  type DeliverySettings,
  newTarget,
  type PhoneNumber,
  type Target,
  type TargetRecord,
} from './subscriber.ts';
import {
  rememberSecrets,
  type SecretStore,
  type SecretsReader,
  secretStore,
  type TargetStore,
  targetStore,
} from './subscriber-store.ts';
import type { SigningSecrets, SubscriberSecrets } from './webhook-signature.ts';

const now = Date.UTC(2026, 0, 31);
const url = 'https://example.com/hook';

let targets: TargetStore;
let secrets: SecretStore;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  targets = targetStore(dynamodb.table);
  secrets = secretStore(dynamodb.table);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function newNumber(members: Partial<PhoneNumber> = {}, secret?: string): Promise<PhoneNumber> {
  const number = phoneNumber({ created_at: now, ...members });
  await numberStore(dynamodb.table).create(number, secret);
  return number;
}

async function newWorkspace(): Promise<string> {
  const id = newId();
  await workspaceStore(dynamodb.table).create({ id, name: 'Acme', waba_id: null, created_at: now });
  return id;
}

const headersOf = (name: string) => ({ origin: 'https://example.com', headers: { [name]: 'value' } });
const namesOf = ({ origin, headers }: ReturnType<typeof headersOf>) => ({ origin, names: Object.keys(headers) });

const targetOf = async (subscriber: string, target: Target = 'webhook') =>
  (await targets.read(subscriber))?.targets[target];

const deleteItem = (Key: { pk: string; sk: string }) =>
  dynamodb.table.client.send(new DeleteCommand({ TableName: dynamodb.table.name, Key }));

/** The same table, whose calls pass through `watch`. */
function watched(watch: Parameters<typeof watchTable>[1]): Table {
  const table: Table = { ...dynamodb.table, client: Object.create(dynamodb.table.client) };
  watchTable(table, watch);
  return table;
}

describe('the settings of a number', () => {
  it('include everything that decides how its notifications are delivered, except secrets', async () => {
    const number = await newNumber();
    const untouched = newTarget();
    expect(await targets.read(number.id)).toEqual({
      subscriber: number,
      targets: { webhook: untouched, secondary_webhook: untouched, calls_webhook: untouched },
    });
    await targets.setUrls(number.id, { webhook: url, calls_webhook: url });
    const breakers = breakerStore(dynamodb.table);
    await breakers.countFailures(number.id, 'webhook', { url, failed: ['delivery-1'] });
    await openBreaker(breakers, number.id, 'calls_webhook', { now });
    expect(await targets.read(number.id)).toEqual({
      subscriber: number,
      targets: {
        webhook: { url, version: 1, breaker: { failures: 1, first_delivery: 'delivery-1' } },
        secondary_webhook: untouched,
        calls_webhook: {
          ...{ url, version: 1 },
          breaker: expect.objectContaining({ failures: 1, opened_at: now, probe_at: now + 60_000, probes: 0 }),
        },
      },
    });
  });

  it('are read in one consistent call', async () => {
    const { id } = await newNumber();
    const send = vi.spyOn(dynamodb.table.client, 'send');
    await targets.read(id);
    expect(send.mock.calls.map(([command]) => command)).toEqual([expect.any(QueryCommand)]);
    expect(send.mock.calls[0]?.[0].input).toMatchObject({ ConsistentRead: true });
  });

  it('include the events and the names of the headers of its targets', async () => {
    const { id, ...members } = await newNumber();
    const [a, b] = [headersOf('x-a'), headersOf('x-b')];
    expect(await targets.changeTarget(id, 'webhook', { events: ['messages'], headers: a })).toBe(true);
    expect(await targets.changeTarget(id, 'calls_webhook', { headers: b })).toBe(true);
    const subscriber = { id, ...members };
    const secondary_webhook = newTarget();
    const calls_webhook = { ...newTarget(), version: 1, headers: namesOf(b), secrets_version: 1 };
    expect(await targets.read(id)).toEqual({
      subscriber,
      targets: {
        webhook: { ...newTarget(), version: 1, events: ['messages'], headers: namesOf(a), secrets_version: 1 },
        secondary_webhook,
        calls_webhook,
      },
    });
    await targets.changeTarget(id, 'webhook', { headers: null });
    // Without the headers, too: their values are secrets, which every process must read again.
    expect(await targetOf(id)).toEqual({ ...newTarget(), version: 2, events: ['messages'], secrets_version: 2 });
    await targets.changeTarget(id, 'webhook', {});
    await targets.changeTarget(id, 'webhook', { events: null });
    expect(await targets.read(id)).toEqual({
      subscriber,
      targets: { webhook: { ...newTarget(), version: 4, secrets_version: 2 }, secondary_webhook, calls_webhook },
    });
  });

  it('keep the URL and the breaker of a target whose events and headers change', async () => {
    const { id } = await newNumber();
    await targets.setUrls(id, { webhook: url });
    await openBreaker(breakerStore(dynamodb.table), id, 'webhook', { now });
    const before = await targetOf(id);
    const headers = headersOf('x-a');
    await targets.changeTarget(id, 'webhook', { events: ['messages'], headers });
    expect(await targetOf(id)).toEqual({
      ...before,
      ...{ version: 2, secrets_version: 2, events: ['messages'], headers: namesOf(headers) },
    });
  });

  it('are changed once if the client repeats the request because it got no response', async () => {
    const { id } = await newNumber();
    const connection = { endpoint: dynamodb.endpoint, region: 'us-east-1', credentials: testCredentials };
    const table = openTable(dynamodb.table.name, { ...connection, timeoutMs: 60_000 });
    onTestFinished(() => table.client.destroy());
    const { middlewareStack } = table.client as DynamoDBDocumentClient;
    middlewareStack.add((next) => async (request) => next(request).then(() => next(request)), {
      step: 'finalizeRequest',
      priority: 'low',
    });
    expect(await targetStore(table).changeTarget(id, 'webhook', { url, version: 0 })).toBe(true);
    expect(await targetOf(id)).toEqual({ ...newTarget(), url, version: 1 });
  });

  it('cannot be changed for a number that does not exist, and then nothing is stored', async () => {
    const headers = headersOf('x-a');
    const deleted = newId();
    for (const changes of [{ events: ['messages'] }, { headers }, { events: null, headers: null }, {}]) {
      expect(await targets.changeTarget(deleted, 'webhook', changes)).toBe(false);
    }
    expect(await getRecord(dynamodb.table, keys.target(deleted, 'webhook'))).toBeUndefined();
    expect(await secretStore(dynamodb.table).get(deleted)).toBeUndefined();
  });

  it('do not exist for an unknown number, or if only its targets are left', async () => {
    expect(await targets.read(newId())).toBeUndefined();
    const { id } = await newNumber();
    await deleteItem(keys.number(id));
    expect(await targets.read(id)).toBeUndefined();
  });

  it('have every target, even those whose items are gone because the number is being deleted', async () => {
    const number = await newNumber();
    await targets.setUrls(number.id, { webhook: url, secondary_webhook: url });
    await deleteItem(keys.target(number.id, 'webhook'));
    expect(await targets.read(number.id)).toEqual({
      subscriber: number,
      targets: {
        webhook: newTarget(),
        secondary_webhook: { ...newTarget(), url, version: 1 },
        calls_webhook: newTarget(),
      },
    });
  });

  it('are found by the upstream’s id of the number, in their current state', async () => {
    const number = await newNumber();
    const find = () => targets.findByPhoneNumberId(number.phone_number_id);
    expect(await find()).toEqual(await targets.read(number.id));
    await targets.setUrls(number.id, { webhook: url });
    await numberStore(dynamodb.table).set(number.id, { active: false });
    expect(await find()).toEqual({
      subscriber: { ...number, active: false },
      targets: {
        webhook: { ...newTarget(), url, version: 1 },
        secondary_webhook: newTarget(),
        calls_webhook: newTarget(),
      },
    });
    expect(await targets.findByPhoneNumberId('unknown')).toBeUndefined();
  });

  it('are found even if another number now has the upstream’s id', async () => {
    const { client, name: TableName } = dynamodb.table;
    const first = await newNumber();
    const { phone_number_id } = first;
    const find = async () => (await targets.findByPhoneNumberId(phone_number_id))?.subscriber;
    expect(await find()).toEqual(first);
    for (const Key of [keys.number(first.id), keys.phoneNumberId(phone_number_id)]) await deleteItem(Key);
    expect(await find()).toBeUndefined();
    const second = await newNumber({ phone_number_id });
    expect(await find()).toEqual(second);

    await client.send(
      new PutCommand({ TableName, Item: { ...keys.number(second.id), ...second, phone_number_id: '7' } }),
    );
    await deleteItem(keys.phoneNumberId(phone_number_id));
    const third = await newNumber({ phone_number_id });
    expect(await find()).toEqual(third);
  });
});

describe('the upstream’s id of a number', () => {
  it('costs a second read only when it is new, and one read when it is unknown', async () => {
    const { id, phone_number_id } = await newNumber();
    const send = vi.spyOn(dynamodb.table.client, 'send');
    const readsToFind = async () => {
      send.mockClear();
      await targets.findByPhoneNumberId(phone_number_id);
      return send.mock.calls.length;
    };
    expect([await readsToFind(), await readsToFind()]).toEqual([2, 1]);
    for (const Key of [keys.number(id), keys.phoneNumberId(phone_number_id)]) await deleteItem(Key);
    expect([await readsToFind(), await readsToFind()]).toEqual([2, 1]);
  });
});

describe('URLs', () => {
  const [one, two, three] = [1, 2, 3].map((path) => `https://example.com/${path}`) as [string, string, string];

  it('can be set and removed independently', async () => {
    const number = await newNumber();
    expect(await targets.setUrls(number.id, { webhook: one, secondary_webhook: two })).toBe(true);
    expect(await targets.setUrls(number.id, { webhook: null, calls_webhook: three })).toBe(true);
    const secondary_webhook = { ...newTarget(), url: two, version: 1 };
    expect(await targets.read(number.id)).toEqual({
      subscriber: number,
      targets: {
        webhook: { ...newTarget(), version: 2, removed_version: 2 },
        secondary_webhook,
        calls_webhook: { ...newTarget(), url: three, version: 1 },
      },
    });
    // The removed version stays: deliveries that waited for the removed URL must not go to the next one.
    await targets.setUrls(number.id, { webhook: one });
    expect(await targetOf(number.id)).toEqual({ ...newTarget(), url: one, version: 3, removed_version: 2 });
    await targets.setUrls(number.id, { webhook: null, calls_webhook: null });
    expect((await targets.read(number.id))?.targets).toEqual({
      webhook: { ...newTarget(), version: 4, removed_version: 4 },
      secondary_webhook,
      calls_webhook: { ...newTarget(), version: 2, removed_version: 2 },
    });
  });

  it('change nothing else of a target', async () => {
    const { id } = await newNumber();
    await targets.setUrls(id, { webhook: one });
    await targets.changeTarget(id, 'webhook', { events: ['messages'], headers: headersOf('x-a') });
    await openBreaker(breakerStore(dynamodb.table), id, 'webhook', { now });
    const before = await targetOf(id);
    await targets.setUrls(id, { webhook: two });
    expect(await targetOf(id)).toEqual({ ...before, url: two, version: 3 });
  });

  it('are all set or none: a target that is missing changes nothing of the others', async () => {
    const { id } = await newNumber();
    await targets.setUrls(id, { webhook: one, secondary_webhook: one, calls_webhook: one });
    await deleteItem(keys.target(id, 'secondary_webhook'));
    const before = await targets.read(id);
    const changes = { webhook: two, secondary_webhook: two, calls_webhook: null };
    expect(await targets.setUrls(id, changes)).toBe(false);
    expect(await targets.read(id)).toEqual(before);
    expect(await getRecord(dynamodb.table, keys.target(id, 'secondary_webhook'))).toBeUndefined();
  });

  it('of a workspace are those of its only target', async () => {
    const id = await newWorkspace();
    expect(await targets.setUrls(id, { webhook: one })).toBe(true);
    expect(await targets.setUrls(id, { webhook: two, calls_webhook: two })).toBe(false);
    expect(await targets.read(id)).toEqual({
      subscriber: { id, workspace: id, active: true },
      targets: {
        webhook: { ...newTarget(), url: one, version: 1 },
        secondary_webhook: newTarget(),
        calls_webhook: newTarget(),
      },
    });
    expect(await targets.setUrls(id, { webhook: null })).toBe(true);
    expect(await targetOf(id)).toEqual({ ...newTarget(), version: 2, removed_version: 2 });
    expect(await numberStore(dynamodb.table).get(id)).toBeUndefined();
  });

  it('do not create a number that does not exist', async () => {
    const id = newId();
    expect(await targets.setUrls(id, { webhook: one })).toBe(false);
    expect(await targets.setUrls(id, { webhook: null })).toBe(false);
    expect(await targets.read(id)).toBeUndefined();
    expect(await getRecord(dynamodb.table, keys.target(id, 'webhook'))).toBeUndefined();
  });

  it('that are set at once are those of one of the requests', async () => {
    const { id } = await newNumber();
    const urls = [one, two, three];
    const set = urls.map((each) => targets.setUrls(id, { webhook: each, secondary_webhook: each }));
    expect(await Promise.all(set)).toEqual([true, true, true]);
    const { webhook, secondary_webhook } = (await targets.read(id))?.targets ?? {};
    expect(urls).toContain(webhook?.url);
    expect(secondary_webhook).toEqual(webhook);
    expect(webhook?.version).toBe(3);
  });
});

describe('a transaction that sets URLs', () => {
  const canceled = (...codes: string[]) =>
    awsError('TransactionCanceledException', '', { CancellationReasons: codes.map((Code) => ({ Code })) });

  /** Sets URLs where the first transactions fail, which the engine never lets them. Gives all that were tried. */
  function failing(count: number, error: Error) {
    const tried: object[] = [];
    const table = watched(async (command, send) => {
      if (command instanceof TransactWriteCommand && tried.push(command) <= count) throw error;
      return send(command);
    });
    return { setUrls: targetStore(table).setUrls, tried };
  }

  it.each([1, 9])('is repeated until nothing else changes its targets, here after %i conflicts', async (conflicts) => {
    const { id } = await newNumber();
    const { setUrls, tried } = failing(conflicts, canceled('TransactionConflict', 'None'));
    expect(await setUrls(id, { webhook: url, calls_webhook: url })).toBe(true);
    expect(tried).toHaveLength(conflicts + 1);
    expect(await targetOf(id)).toEqual({ ...newTarget(), url, version: 1 });
    expect(await targetOf(id, 'calls_webhook')).toEqual({ ...newTarget(), url, version: 1 });
  });

  it('fails after ten conflicts, and has changed nothing', async () => {
    const { id } = await newNumber();
    const conflict = canceled('TransactionConflict', 'None');
    const { setUrls, tried } = failing(10, conflict);
    await expect(setUrls(id, { webhook: url, calls_webhook: url })).rejects.toBe(conflict);
    expect(tried).toHaveLength(10);
    const untouched = newTarget();
    expect((await targets.read(id))?.targets).toEqual({
      webhook: untouched,
      secondary_webhook: untouched,
      calls_webhook: untouched,
    });
  });

  it('is not repeated if a target is missing, whatever else is in its way', async () => {
    const { id } = await newNumber();
    const { setUrls, tried } = failing(1, canceled('TransactionConflict', 'ConditionalCheckFailed'));
    expect(await setUrls(id, { webhook: url, calls_webhook: url })).toBe(false);
    expect(tried).toHaveLength(1);
  });

  it.each([
    ['canceled for any other reason', canceled('ThrottlingError', 'None')],
    ['rejected', awsError('ValidationException', 'not valid')],
  ])('is not repeated if it was %s', async (_, error) => {
    const { id } = await newNumber();
    const { setUrls, tried } = failing(1, error);
    await expect(setUrls(id, { webhook: url, calls_webhook: url })).rejects.toBe(error);
    expect(tried).toHaveLength(1);
  });
});

/** Replaces the secrets of a number. */
const replace = (id: string, ...change: [expected: string, secrets: SigningSecrets]) =>
  secrets.replace({ id, workspace: 'any' }, ...change);

/** Sets the headers of a target, or removes them. */
const setHeaders = (subscriber: string, target: Target, headers: StoredHeaders | null) =>
  targets.changeTarget(subscriber, target, { headers });

const replaced = (...old: string[]) => old.map((secret) => ({ secret, valid_until: now }));

describe('signing secrets', () => {
  it('are those with which the subscriber was created', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    expect(await secrets.get(id)).toEqual({ current: 'whsec_1' });
    expect(await secrets.get(newId())).toBeUndefined();
  });

  it('are replaced once by all processes that saw the same secrets', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    const wanted = ['whsec_2', 'whsec_3', 'whsec_4'];
    const results = await Promise.all(
      wanted.map((current) => replace(id, 'whsec_1', { current, replaced: replaced('whsec_1') })),
    );
    expect(results.toSorted()).toEqual([false, false, true]);
    expect(await secrets.get(id)).toEqual({
      current: wanted[results.indexOf(true)],
      replaced: replaced('whsec_1'),
    });
  });

  it('are replaced one after the other, with those that still sign', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    expect(await replace(id, 'whsec_1', { current: 'whsec_2', replaced: replaced('whsec_1') })).toBe(true);
    const third = { current: 'whsec_3', replaced: replaced('whsec_2', 'whsec_1') };
    expect(await replace(id, 'whsec_2', third)).toBe(true);
    expect(await secrets.get(id)).toEqual({ ...third });
    for (const stale of ['whsec_1', 'whsec_2', 'whsec_unknown']) {
      expect(await replace(id, stale, { current: 'whsec_4', replaced: [] })).toBe(false);
    }
    expect(await secrets.get(id)).toEqual({ ...third });
    expect(await replace(id, 'whsec_3', { current: 'whsec_4', replaced: [] })).toBe(true);
    expect(await secrets.get(id)).toEqual({ current: 'whsec_4', replaced: [] });
  });

  it('of a workspace are replaced, too', async () => {
    const id = await newWorkspace();
    const { current = '' } = (await secrets.get(id)) ?? {};
    expect(
      await secrets.replace({ id, workspace: id }, current, { current: 'whsec_2', replaced: replaced(current) }),
    ).toBe(true);
    expect(await secrets.get(id)).toEqual({ current: 'whsec_2', replaced: replaced(current) });
  });

  it('are not stored for a subscriber that does not exist', async () => {
    const id = newId();
    expect(await replace(id, 'whsec_1', { current: 'whsec_2' })).toBe(false);
    expect(await secrets.get(id)).toBeUndefined();
  });
});

describe('headers', () => {
  it('are set and removed for each target', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(true);
    expect(await setHeaders(id, 'calls_webhook', headersOf('x-b'))).toBe(true);
    expect(await secrets.get(id)).toEqual({
      current: 'whsec_1',
      targets: { webhook: { headers: headersOf('x-a') }, calls_webhook: { headers: headersOf('x-b') } },
    });
    expect(await setHeaders(id, 'webhook', headersOf('x-c'))).toBe(true);
    expect(await setHeaders(id, 'calls_webhook', null)).toBe(true);
    expect(await setHeaders(id, 'secondary_webhook', null)).toBe(true);
    expect(await secrets.get(id)).toEqual({
      current: 'whsec_1',
      targets: { webhook: { headers: headersOf('x-c') }, calls_webhook: {}, secondary_webhook: {} },
    });
  });

  it('of a workspace are set, too', async () => {
    const id = await newWorkspace();
    const before = await secrets.get(id);
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(true);
    expect(await secrets.get(id)).toEqual({ ...before, targets: { webhook: { headers: headersOf('x-a') } } });
  });

  it('are not stored for a subscriber that does not exist', async () => {
    const id = newId();
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(false);
    expect(await setHeaders(id, 'webhook', null)).toBe(false);
    expect(await secrets.get(id)).toBeUndefined();
  });

  it('survive a rotation, and the secrets survive a change of headers', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    await setHeaders(id, 'webhook', headersOf('x-a'));
    await replace(id, 'whsec_1', { current: 'whsec_2', replaced: replaced('whsec_1') });
    const rotated = { current: 'whsec_2', replaced: replaced('whsec_1') };
    expect(await secrets.get(id)).toEqual({ ...rotated, targets: { webhook: { headers: headersOf('x-a') } } });
    await setHeaders(id, 'secondary_webhook', headersOf('x-b'));
    await setHeaders(id, 'webhook', null);
    expect(await secrets.get(id)).toEqual({
      ...rotated,
      targets: { webhook: {}, secondary_webhook: { headers: headersOf('x-b') } },
    });
  });

  it('are all stored if they are set at the same time, during a rotation', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    const changes = await Promise.all([
      setHeaders(id, 'webhook', headersOf('x-a')),
      replace(id, 'whsec_1', { current: 'whsec_2', replaced: replaced('whsec_1') }),
      setHeaders(id, 'secondary_webhook', headersOf('x-b')),
      setHeaders(id, 'calls_webhook', headersOf('x-c')),
    ]);
    expect(changes).toEqual([true, true, true, true]);
    expect(await secrets.get(id)).toEqual({
      current: 'whsec_2',
      replaced: replaced('whsec_1'),
      targets: {
        webhook: { headers: headersOf('x-a') },
        secondary_webhook: { headers: headersOf('x-b') },
        calls_webhook: { headers: headersOf('x-c') },
      },
    });
  });
});

describe('a change of secrets', () => {
  const versions = async (subscriber: string) => {
    const settings = await targets.read(subscriber);
    return builtInTargets.map((target) => {
      const { version = 0, secrets_version } = settings?.targets[target] ?? {};
      return [version, secrets_version];
    });
  };
  const untouched = [0, undefined];

  it('is a new version of each target, and changes nothing else of them', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    await replace(id, 'whsec_1', { current: 'whsec_2' });
    expect((await targets.read(id))?.targets).toEqual({
      webhook: { ...newTarget(), url: 'https://example.com/hook', version: 2, secrets_version: 2 },
      secondary_webhook: { ...newTarget(), version: 1, secrets_version: 1 },
      calls_webhook: { ...newTarget(), version: 1, secrets_version: 1 },
    });
  });

  it('is that of a workspace, too, which gets no other target by it', async () => {
    const id = await newWorkspace();
    const { current = '' } = (await secrets.get(id)) ?? {};
    await secrets.replace({ id, workspace: id }, current, { current: 'whsec_2' });
    expect(await versions(id)).toEqual([[1, 1], untouched, untouched]);
  });

  it('is not made by a change of events or URLs', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    await targets.changeTarget(id, 'webhook', { events: ['messages'] });
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    expect(await versions(id)).toEqual([[2, undefined], untouched, untouched]);
  });

  it('is made with neither half of a change of headers that comes too late', async () => {
    const { id } = await newNumber({}, 'whsec_1');
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    expect(await targets.changeTarget(id, 'webhook', { headers: headersOf('x-a'), version: 0 })).toBe(false);
    expect(await secrets.get(id)).not.toHaveProperty('targets');
    expect(await versions(id)).toEqual([[1, undefined], untouched, untouched]);
  });

  it('creates nothing of a subscriber that was deleted', async () => {
    const deleted = newId();
    expect(await replace(deleted, 'whsec_1', { current: 'whsec_2' })).toBe(false);
    const left = await Promise.all(
      builtInTargets.map((target) => getRecord(dynamodb.table, keys.target(deleted, target))),
    );
    expect(left).toEqual([undefined, undefined, undefined]);
  });
});

describe('the numbers of a workspace with their secrets', () => {
  const list = (workspace: string) => Array.fromAsync(secrets.listByWorkspace(workspace));

  it('are all its numbers, in the order in which they were created, and no others', async () => {
    const workspace = await newWorkspace();
    const numbers = [await newNumber({ workspace }, 'whsec_1'), await newNumber({ workspace }, 'whsec_2')];
    await newNumber({}, 'whsec_3');
    await replace(String(numbers[1]?.id), 'whsec_2', { current: 'whsec_4', replaced: replaced('whsec_2') });
    await numberStore(dynamodb.table).set(String(numbers[1]?.id), { active: false });
    expect(await list(workspace)).toEqual([
      { number: numbers[0], secrets: { current: 'whsec_1' } },
      {
        number: { ...numbers[1], active: false },
        secrets: { current: 'whsec_4', replaced: replaced('whsec_2') },
      },
    ]);
    expect(await list(newId())).toEqual([]);
  });

  it.each([24, 25, 26, 51])('are all %i of them, however many are read at once', async (count) => {
    const workspace = newId();
    const numbers: PhoneNumber[] = [];
    for (let index = 0; index < count; index++) numbers.push(await newNumber({ workspace }, `whsec_${index}`));
    expect(await list(workspace)).toEqual(
      numbers.map((number, index) => ({ number, secrets: { current: `whsec_${index}` } })),
    );
  });

  it('lack those that are being deleted, whichever of their items is gone', async () => {
    const workspace = newId();
    const [first, second, third] = [
      await newNumber({ workspace }, 'whsec_1'),
      await newNumber({ workspace }, 'whsec_2'),
      await newNumber({ workspace }, 'whsec_3'),
    ];
    const { client, name: TableName } = dynamodb.table;
    const deleteItem = (Key: Key) => client.send(new DeleteCommand({ TableName, Key }));
    await deleteItem(keys.secrets(first.id));
    expect(await list(workspace)).toMatchObject([{ number: second }, { number: third }]);
    const table: Table = { ...dynamodb.table, client: Object.create(client) };
    watchTable(table, async (command, send) => {
      const output = await send(command);
      // Deleted after the index was read.
      if ('IndexName' in command.input) await deleteItem(keys.number(second.id));
      return output;
    });
    const found = await Array.fromAsync(secretStore(table).listByWorkspace(workspace));
    expect(found).toEqual([{ number: third, secrets: { current: 'whsec_3' } }]);
  });

  it('are read only as far as the caller wants', async () => {
    const workspace = newId();
    for (let index = 0; index < 30; index++) await newNumber({ workspace }, `whsec_${index}`);
    const send = vi.spyOn(dynamodb.table.client, 'send');
    for await (const { secrets: found } of secrets.listByWorkspace(workspace)) {
      expect(found).toMatchObject({ current: 'whsec_0' });
      break;
    }
    const calls = send.mock.calls.map(([command]) => command.constructor.name);
    const [, batch] = send.mock.calls.map(([command]) => command.input);
    send.mockRestore();
    expect(calls).toEqual(['QueryCommand', 'BatchGetCommand']);
    expect(batch).toMatchObject({ RequestItems: { [dynamodb.table.name]: { ConsistentRead: true } } });
  });
});

const id = newId();
let time: number;
let secretReads: string[];
let secretsFor: SecretsReader;

beforeEach(() => {
  time = Date.UTC(2026, 0, 31);
  secretReads = [];
  secretsFor = knowing();
});

/** The settings of a subscriber with these members of its targets. */
const settingsOf = (
  subscriber: string,
  targets: Partial<Record<Target, Partial<TargetRecord>>> = {},
): DeliverySettings => ({
  subscriber: { id: subscriber, workspace: newId(), active: true },
  targets: {
    webhook: { ...newTarget(), ...targets.webhook },
    secondary_webhook: { ...newTarget(), ...targets.secondary_webhook },
    calls_webhook: { ...newTarget(), ...targets.calls_webhook },
  },
});

/** A process that reads secrets so, by default new ones each time. */
const knowing = (read: SecretStore['get'] = async () => ({ current: `secret ${secretReads.length}` })) =>
  rememberSecrets(
    (subscriber) => {
      secretReads.push(subscriber);
      return read(subscriber);
    },
    () => time,
  );

describe('the secrets of a subscriber', () => {
  const first = { current: 'secret 1' };
  const second = { current: 'secret 2' };

  /** The settings of a webhook whose secrets last changed with this version. */
  const changedAt = (secrets_version?: number) =>
    settingsOf(id, { webhook: { version: 9, ...(secrets_version && { secrets_version }) } });

  /** What a batch of its own gets for such a webhook. */
  const secretsAt = (secrets_version?: number, memory = secretsFor) => memory(changedAt(secrets_version), 'webhook');

  it('are remembered as long as they have not changed since, as far as the settings tell', async () => {
    expect(await secretsAt(2)).toEqual(first);
    expect(await secretsAt(2)).toEqual(first);
    expect(await secretsAt(1)).toEqual(first);
    expect(await secretsAt()).toEqual(first);
    expect(secretReads).toEqual([id]);
  });

  it('are remembered whatever else changes, such as a URL, or failures in a row', async () => {
    for (const version of [7, 8, 9]) {
      const webhook = { version, secrets_version: 7, url: `https://example.com/${version}` };
      expect(await secretsFor(settingsOf(id, { webhook }), 'webhook')).toEqual(first);
    }
    expect(secretReads).toEqual([id]);
  });

  it.each([
    ['the first', undefined],
    ['another', 1],
  ])('are read again after %s change, and then remembered', async (_, before) => {
    await secretsAt(before);
    expect(await secretsAt(2)).toEqual(second);
    expect(await secretsAt(2)).toEqual(second);
    expect(secretReads).toEqual([id, id]);
  });

  it('are read again for a target that notes a change, not for the others', async () => {
    const noted = { version: 2, secrets_version: 1 };
    await secretsFor(settingsOf(id, { webhook: noted, calls_webhook: noted }), 'webhook');
    const changed = settingsOf(id, { webhook: noted, calls_webhook: { version: 2, secrets_version: 2 } });
    expect(await secretsFor(changed, 'webhook')).toEqual(first);
    expect(await secretsFor(changed, 'secondary_webhook')).toEqual(first);
    expect(await secretsFor(changed, 'calls_webhook')).toEqual(second);
    // One read is enough for all that was known when it began.
    expect(await secretsFor(changed, 'webhook')).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('are read again if a process learns of a change while a read is in progress', async () => {
    const answers = [Promise.withResolvers<SubscriberSecrets>(), Promise.withResolvers<SubscriberSecrets>()];
    const memory = knowing((_) => answers[secretReads.length - 1]?.promise ?? Promise.reject());
    const early = secretsAt(1, memory);
    const late = secretsAt(2, memory);
    expect(secretReads).toHaveLength(2);
    // The read that began first ends last.
    answers[1]?.resolve(second);
    expect(await late).toEqual(second);
    answers[0]?.resolve(first);
    expect(await early).toEqual(first);
    expect(await secretsAt(2, memory)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('are remembered for ten minutes from the start of their read', async () => {
    const read = Promise.withResolvers<SubscriberSecrets>();
    const slow = knowing(() => read.promise);
    const reading = secretsAt(1, slow);
    time += 300_000;
    read.resolve(first);
    await reading;
    time += 300_000;
    await secretsAt(1, slow);
    expect(secretReads).toHaveLength(1);
    time += 1;
    await secretsAt(1, slow);
    expect(secretReads).toHaveLength(2);
  });

  it('are read once for all messages that need them at once, and for each subscriber', async () => {
    const other = newId();
    const asked = [id, id, other, id].map((one) => secretsFor(settingsOf(one), 'webhook'));
    const found = await Promise.all([...asked, secretsAt()]);
    expect(secretReads).toEqual([id, other]);
    expect(new Set(found.filter((_, index) => index !== 2))).toEqual(new Set([found[0]]));
    expect(found[2]).not.toBe(found[0]);
  });

  it('are read again after a failed read, which fails for all that wait for it', async () => {
    const memory = knowing(() =>
      secretReads.length === 1 ? Promise.reject(new Error('no table')) : Promise.resolve(second),
    );
    const asked = await Promise.allSettled([secretsAt(1, memory), secretsAt(1, memory)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(secretReads).toHaveLength(1);
    expect(await secretsAt(1, memory)).toEqual(second);
    expect(await secretsAt(1, memory)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('stay known if an earlier read fails after a later one', async () => {
    const answers = [Promise.withResolvers<SubscriberSecrets>(), Promise.withResolvers<SubscriberSecrets>()];
    const remembered = knowing((_) => answers[secretReads.length - 1]?.promise ?? Promise.reject());
    const early = secretsAt(1, remembered);
    const late = secretsAt(2, remembered);
    answers[1]?.resolve(second);
    expect(await late).toEqual(second);
    answers[0]?.reject(new Error('no table'));
    await expect(early).rejects.toThrow('no table');
    expect(await secretsAt(2, remembered)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('do not exist if the subscriber was deleted', async () => {
    expect(
      await secretsAt(
        1,
        knowing(async () => undefined),
      ),
    ).toBeUndefined();
  });

  it('are remembered for a limited number of subscribers', async () => {
    const readOthers = async (count: number) => {
      for (let each = 0; each < count; each++) await secretsFor(settingsOf(newId()), 'webhook');
    };
    const readsOf = (subscriber: string) => secretReads.filter((each) => each === subscriber).length;
    await secretsAt(1);
    await readOthers(4_999);
    await secretsAt(1);
    expect(readsOf(id)).toBe(1);
    await readOthers(5_000);
    await secretsAt(1);
    expect(readsOf(id)).toBe(2);
  });
});

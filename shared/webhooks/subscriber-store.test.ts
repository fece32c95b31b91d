import { DeleteCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { awsError } from '#support/aws/aws-error.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { openBreaker } from '#support/open-breaker.ts';
import { breakerStore } from './breaker-store.ts';
import { numberStore } from './number-store.ts';
import { newTarget, type PhoneNumber, type Target } from './subscriber.ts';
import { secretStore, type TargetStore, targetStore } from './subscriber-store.ts';

const now = Date.UTC(2026, 0, 31);
const url = 'https://example.com/hook';

let dynamodb: TestTable;
let targets: TargetStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  targets = targetStore(dynamodb.table);
});
afterEach(() => {
  vi.restoreAllMocks();
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

  it('is not needed for a single URL, which a plain update sets', async () => {
    const { id } = await newNumber();
    const operations: string[] = [];
    const table = watched(async (command, send) => {
      operations.push(operationOf(command));
      return send(command);
    });
    expect(await targetStore(table).setUrls(id, { webhook: url })).toBe(true);
    expect(await targetOf(id)).toEqual({ ...newTarget(), url, version: 1 });
    expect(operations).toEqual(['UpdateItem']);
  });
});

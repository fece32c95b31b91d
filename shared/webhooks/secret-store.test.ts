import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, type Key, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { watchTable } from '#support/aws/watch-table.ts';
import { numberStore } from './number-store.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import { targets as allTargets, newTarget, type PhoneNumber, type Target } from './subscriber.ts';
import { type SecretStore, secretStore, type TargetStore, targetStore } from './subscriber-store.ts';
import type { SigningSecrets } from './webhook-signature.ts';

const now = Date.UTC(2026, 0, 31);

let dynamodb: TestTable;
let secrets: SecretStore;
let targets: TargetStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  secrets = secretStore(dynamodb.table);
  targets = targetStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

async function newNumber(secret?: string, workspace = newId()): Promise<PhoneNumber> {
  const number: PhoneNumber = {
    ...{ id: newId(), workspace, phone_number_id: newId(), display_phone_number: '+55 11 4000-0001' },
    ...{ active: true, calling_enabled: false, created_at: now },
  };
  await numberStore(dynamodb.table).create(number, secret);
  return number;
}

async function newWorkspace(): Promise<string> {
  const id = newId();
  await workspaceStore(dynamodb.table).create({ id, name: 'Acme', waba_id: null, created_at: now });
  return id;
}

/** Replaces the secrets of a number. */
const replace = (id: string, ...change: [expected: string, secrets: SigningSecrets]) =>
  secrets.replace({ id, workspace: 'any' }, ...change);

/** Sets the headers of a target, or removes them. */
const setHeaders = (subscriber: string, target: Target, headers: StoredHeaders | null) =>
  targets.changeTarget(subscriber, target, { headers });

const headersOf = (name: string) => ({ origin: 'https://example.com', headers: { [name]: 'value' } });
const replaced = (...old: string[]) => old.map((secret) => ({ secret, valid_until: now }));

describe('signing secrets', () => {
  it('are those with which the subscriber was created', async () => {
    const { id } = await newNumber('whsec_1');
    expect(await secrets.get(id)).toEqual({ current: 'whsec_1', headers: {} });
    expect(await secrets.get(newId())).toBeUndefined();
  });

  it('are replaced once by all processes that saw the same secrets', async () => {
    const { id } = await newNumber('whsec_1');
    const wanted = ['whsec_2', 'whsec_3', 'whsec_4'];
    const results = await Promise.all(
      wanted.map((current) => replace(id, 'whsec_1', { current, replaced: replaced('whsec_1') })),
    );
    expect(results.toSorted()).toEqual([false, false, true]);
    expect(await secrets.get(id)).toEqual({
      current: wanted[results.indexOf(true)],
      replaced: replaced('whsec_1'),
      headers: {},
    });
  });

  it('are replaced one after the other, with those that still sign', async () => {
    const { id } = await newNumber('whsec_1');
    expect(await replace(id, 'whsec_1', { current: 'whsec_2', replaced: replaced('whsec_1') })).toBe(true);
    const third = { current: 'whsec_3', replaced: replaced('whsec_2', 'whsec_1') };
    expect(await replace(id, 'whsec_2', third)).toBe(true);
    expect(await secrets.get(id)).toEqual({ ...third, headers: {} });
    for (const stale of ['whsec_1', 'whsec_2', 'whsec_unknown']) {
      expect(await replace(id, stale, { current: 'whsec_4', replaced: [] })).toBe(false);
    }
    expect(await secrets.get(id)).toEqual({ ...third, headers: {} });
    expect(await replace(id, 'whsec_3', { current: 'whsec_4', replaced: [] })).toBe(true);
    expect(await secrets.get(id)).toEqual({ current: 'whsec_4', replaced: [], headers: {} });
  });

  it('of a workspace are replaced, too', async () => {
    const id = await newWorkspace();
    const { current = '' } = (await secrets.get(id)) ?? {};
    expect(
      await secrets.replace({ id, workspace: id }, current, { current: 'whsec_2', replaced: replaced(current) }),
    ).toBe(true);
    expect(await secrets.get(id)).toEqual({ current: 'whsec_2', replaced: replaced(current), headers: {} });
  });

  it('are not stored for a subscriber that does not exist', async () => {
    const id = newId();
    expect(await replace(id, 'whsec_1', { current: 'whsec_2' })).toBe(false);
    expect(await secrets.get(id)).toBeUndefined();
  });
});

describe('headers', () => {
  it('are set and removed for each target', async () => {
    const { id } = await newNumber('whsec_1');
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(true);
    expect(await setHeaders(id, 'calls_webhook', headersOf('x-b'))).toBe(true);
    expect(await secrets.get(id)).toEqual({
      current: 'whsec_1',
      headers: { webhook: headersOf('x-a'), calls_webhook: headersOf('x-b') },
    });
    expect(await setHeaders(id, 'webhook', headersOf('x-c'))).toBe(true);
    expect(await setHeaders(id, 'calls_webhook', null)).toBe(true);
    expect(await setHeaders(id, 'secondary_webhook', null)).toBe(true);
    expect(await secrets.get(id)).toEqual({ current: 'whsec_1', headers: { webhook: headersOf('x-c') } });
  });

  it('of a workspace are set, too', async () => {
    const id = await newWorkspace();
    const before = await secrets.get(id);
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(true);
    expect(await secrets.get(id)).toEqual({ ...before, headers: { webhook: headersOf('x-a') } });
  });

  it('are not stored for a subscriber that does not exist', async () => {
    const id = newId();
    expect(await setHeaders(id, 'webhook', headersOf('x-a'))).toBe(false);
    expect(await setHeaders(id, 'webhook', null)).toBe(false);
    expect(await secrets.get(id)).toBeUndefined();
  });

  it('survive a rotation, and the secrets survive a change of headers', async () => {
    const { id } = await newNumber('whsec_1');
    await setHeaders(id, 'webhook', headersOf('x-a'));
    await replace(id, 'whsec_1', { current: 'whsec_2', replaced: replaced('whsec_1') });
    const rotated = { current: 'whsec_2', replaced: replaced('whsec_1') };
    expect(await secrets.get(id)).toEqual({ ...rotated, headers: { webhook: headersOf('x-a') } });
    await setHeaders(id, 'secondary_webhook', headersOf('x-b'));
    await setHeaders(id, 'webhook', null);
    expect(await secrets.get(id)).toEqual({ ...rotated, headers: { secondary_webhook: headersOf('x-b') } });
  });

  it('are all stored if they are set at the same time, during a rotation', async () => {
    const { id } = await newNumber('whsec_1');
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
      headers: { webhook: headersOf('x-a'), secondary_webhook: headersOf('x-b'), calls_webhook: headersOf('x-c') },
    });
  });
});

describe('a change of secrets', () => {
  const versions = async (subscriber: string) => {
    const settings = await targets.read(subscriber);
    return allTargets.map((target) => {
      const { version = 0, secrets_version } = settings?.targets[target] ?? {};
      return [version, secrets_version];
    });
  };
  const untouched = [0, undefined];

  it('is a new version of each target, and changes nothing else of them', async () => {
    const { id } = await newNumber('whsec_1');
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    await replace(id, 'whsec_1', { current: 'whsec_2' });
    expect((await targets.read(id))?.targets).toEqual({
      webhook: { ...newTarget(), url: 'https://example.com/hook', version: 2, secrets_version: 2 },
      secondary_webhook: { ...newTarget(), version: 1, secrets_version: 1 },
      calls_webhook: { ...newTarget(), version: 1, secrets_version: 1 },
    });
  });

  it('is a new version only if it was made', async () => {
    const { id } = await newNumber('whsec_1');
    const [first, second] = [{ current: 'whsec_2' }, { current: 'whsec_3' }];
    const results = await Promise.all([replace(id, 'whsec_1', first), replace(id, 'whsec_1', second)]);
    expect(results.toSorted()).toEqual([false, true]);
    expect(await versions(id)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('is that of a workspace, too, which gets no other target by it', async () => {
    const id = await newWorkspace();
    const { current = '' } = (await secrets.get(id)) ?? {};
    await secrets.replace({ id, workspace: id }, current, { current: 'whsec_2' });
    expect(await versions(id)).toEqual([[1, 1], untouched, untouched]);
  });

  it('is not made by a change of events or URLs', async () => {
    const { id } = await newNumber('whsec_1');
    await targets.changeTarget(id, 'webhook', { events: ['messages'] });
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    expect(await versions(id)).toEqual([[2, undefined], untouched, untouched]);
  });

  it('is made with neither half of a change of headers that comes too late', async () => {
    const { id } = await newNumber('whsec_1');
    await targets.setUrls(id, { webhook: 'https://example.com/hook' });
    expect(await targets.changeTarget(id, 'webhook', { headers: headersOf('x-a'), version: 0 })).toBe(false);
    expect((await secrets.get(id))?.headers).toEqual({});
    expect(await versions(id)).toEqual([[1, undefined], untouched, untouched]);
  });

  it('creates nothing of a subscriber that was deleted', async () => {
    const deleted = newId();
    expect(await replace(deleted, 'whsec_1', { current: 'whsec_2' })).toBe(false);
    const left = await Promise.all(allTargets.map((target) => getRecord(dynamodb.table, keys.target(deleted, target))));
    expect(left).toEqual([undefined, undefined, undefined]);
  });
});

describe('the numbers of a workspace with their secrets', () => {
  const list = (workspace: string) => Array.fromAsync(secrets.listByWorkspace(workspace));

  it('are all its numbers, in the order in which they were created, and no others', async () => {
    const workspace = await newWorkspace();
    const numbers = [await newNumber('whsec_1', workspace), await newNumber('whsec_2', workspace)];
    await newNumber('whsec_3');
    await setHeaders(String(numbers[0]?.id), 'webhook', headersOf('x-a'));
    await replace(String(numbers[1]?.id), 'whsec_2', { current: 'whsec_4', replaced: replaced('whsec_2') });
    await numberStore(dynamodb.table).set(String(numbers[1]?.id), { active: false });
    expect(await list(workspace)).toEqual([
      { number: numbers[0], secrets: { current: 'whsec_1', headers: { webhook: headersOf('x-a') } } },
      {
        number: { ...numbers[1], active: false },
        secrets: { current: 'whsec_4', replaced: replaced('whsec_2'), headers: {} },
      },
    ]);
    expect(await list(newId())).toEqual([]);
  });

  it.each([24, 25, 26, 51])('are all %i of them, however many are read at once', async (count) => {
    const workspace = newId();
    const numbers: PhoneNumber[] = [];
    for (let index = 0; index < count; index++) numbers.push(await newNumber(`whsec_${index}`, workspace));
    expect(await list(workspace)).toEqual(
      numbers.map((number, index) => ({ number, secrets: { current: `whsec_${index}`, headers: {} } })),
    );
  });

  it('lack those that are being deleted, whichever of their items is gone', async () => {
    const workspace = newId();
    const [first, second, third] = [
      await newNumber('whsec_1', workspace),
      await newNumber('whsec_2', workspace),
      await newNumber('whsec_3', workspace),
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
    expect(found).toEqual([{ number: third, secrets: { current: 'whsec_3', headers: {} } }]);
  });

  it('are read only as far as the caller wants', async () => {
    const workspace = newId();
    for (let index = 0; index < 30; index++) await newNumber(`whsec_${index}`, workspace);
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

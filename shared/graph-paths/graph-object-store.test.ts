import { beforeEach, describe, expect, it } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { dayMs } from '#shared/base/time.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { forAllTests } from '#support/for-tests.ts';
import { graphObjectStore } from './graph-object-store.ts';

const now = Date.UTC(2026, 0, 31);

const dynamodb = forAllTests(() => startTestTable());
let store: ReturnType<typeof graphObjectStore>;
let user: string;
beforeEach(() => {
  store = graphObjectStore(dynamodb.table);
  user = newId();
});

/** A workspace of the user with an account and so many numbers. */
async function join(waba_id: string, numbers = 0) {
  const id = newId();
  await workspaceStore(dynamodb.table).create({ id, name: 'Acme', waba_id, created_at: 0 });
  await workspaceStore(dynamodb.table).putMember({ workspace: id, user, role: 'member' });
  for (let ordinal = 0; ordinal < numbers; ordinal++) {
    await numberStore(dynamodb.table).create({
      ...{ id: newId(), workspace: id, phone_number_id: newId(), display_phone_number: '+15550100001' },
      ...{ active: ordinal !== 1, calling_enabled: true, created_at: 0 },
    });
  }
  return id;
}

const newAccount = () => String(Math.random()).slice(2);

describe('what a user has', () => {
  it('is all workspaces with their active numbers', async () => {
    const ids = [await join(newAccount(), 3), await join(newAccount())];
    const { memberships, numbers, more } = await store.belongingsOf(user);
    expect(memberships.map(({ workspace }) => workspace.id).sort()).toEqual(ids.sort());
    expect([numbers.length, more]).toEqual([2, false]);
  });

  it('says if there are more workspaces or numbers than a request looks at', async () => {
    await join(newAccount(), 11);
    expect(await store.belongingsOf(user)).toMatchObject({ more: true });
    user = newId();
    for (let count = 0; count < 11; count++) await join(newAccount());
    const { memberships, more } = await store.belongingsOf(user);
    expect([memberships.length, more]).toEqual([10, true]);
  });

  it('does not contain what a membership that has ended led to', async () => {
    const workspace = await join(newAccount(), 1);
    await workspaceStore(dynamodb.table).removeMember(workspace, user);
    expect(await store.belongingsOf(user)).toEqual({ memberships: [], numbers: [], more: false });
  });
});

it('numbers that are inactive count as well when there are more than a request takes', async () => {
  const account = newAccount();
  await join(account, 4);
  const memberships = await store.membershipsIn(account, user);
  const { numbers, more } = await store.numbersIn(memberships, 3);
  expect([numbers.length, more]).toEqual([2, true]);
  expect(await store.numbersIn(memberships, 4)).toMatchObject({ more: false });
});

describe('the memberships in an account', () => {
  it('are those of the user, among all workspaces that have it', async () => {
    const account = newAccount();
    const own = await join(account);
    user = newId();
    for (let count = 0; count < 55; count++) await join(account);
    const memberships = await store.membershipsIn(account, user);
    expect(memberships).toHaveLength(55);
    expect(memberships.map(({ workspace }) => workspace.id)).not.toContain(own);
  });

  it('end when the workspace has another account, which still is one', async () => {
    const account = newAccount();
    const workspace = await join(account);
    await workspaceStore(dynamodb.table).setBusinessAccount(workspace, newAccount());
    expect(await store.membershipsIn(account, user)).toEqual([]);
    const { entryOf } = await store.readEntries('0'.repeat(64), [account, '1'], now);
    expect([entryOf(account), entryOf('1')]).toEqual([{ kind: 'account', account }, undefined]);
  });
});

describe('the accounts of a hundred templates', () => {
  const ids = Array.from({ length: 100 }, (_, ordinal) => String(10 ** 14 + ordinal));
  const remembered = { kind: 'template', account: '1' };
  const entryAt = async (time: number) =>
    (await store.readEntries('0'.repeat(64), ids.slice(0, 20), time)).entryOf(ids[7] ?? '');

  it('are remembered with two calls, then with none, for thirty days from the last half of that on', async () => {
    const calls: string[] = [];
    watchTable(dynamodb.table, (command, send) => {
      calls.push(operationOf(command));
      return send(command);
    });
    await store.rememberTemplates('1', ids, now);
    expect(calls).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await store.rememberTemplates('1', [...ids, ...ids], now + dayMs);
    expect(calls).toHaveLength(2);
    await graphObjectStore(dynamodb.table).rememberTemplates('1', ids, now + dayMs);
    expect(calls.slice(2)).toEqual(['BatchGetItem']);
    expect([await entryAt(now + 29 * dayMs), await entryAt(now + 31 * dayMs)]).toEqual([remembered, undefined]);
    await store.rememberTemplates('1', ids, now + 16 * dayMs);
    expect([await entryAt(now + 31 * dayMs), await entryAt(now + 47 * dayMs)]).toEqual([remembered, undefined]);
  });
});

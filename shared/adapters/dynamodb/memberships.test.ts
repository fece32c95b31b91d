import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { MembershipStore } from '#shared/domain/accounts/membership-store.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { Role, Workspace } from '#shared/domain/accounts/workspace.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { keys } from './keys.ts';
import { membershipStore } from './memberships.ts';
import { numberStore } from './numbers.ts';
import { workspaceStore } from './workspaces.ts';

let dynamodb: TestTable;
let memberships: MembershipStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  memberships = membershipStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

async function join(user: string, role: Role = 'member'): Promise<Workspace> {
  const workspace: Workspace = { id: newId(), name: 'Acme', waba_id: null, created_at: 1_700_000_000_000 };
  await workspaceStore(dynamodb.table).create(workspace);
  await workspaceStore(dynamodb.table).putMember({ workspace: workspace.id, user, role });
  return workspace;
}

async function newNumber(workspace: string, members: Partial<PhoneNumber> = {}): Promise<PhoneNumber> {
  const id = newId();
  const number: PhoneNumber = {
    ...{ id, workspace, phone_number_id: id, display_phone_number: '+1', created_at: 0 },
    ...{ active: true, calling_enabled: true, ...members },
  };
  await numberStore(dynamodb.table).create(number);
  return number;
}

const all = { from: undefined, wanted: 100 };
const workspacesOf = (user: string) => Array.fromAsync(memberships.listWorkspaces({ user, ...all }));
const numbersOf = async (user: string, workspace?: string) =>
  (await Array.fromAsync(memberships.listNumbers({ user, workspace, ...all }))).map(({ number }) => number);

describe('the workspaces of a user', () => {
  it('are those of which the user is a member, newest first, with the role', async () => {
    const [user, other] = [newId(), newId()];
    const owned = await join(user, 'owner');
    await join(other);
    const joined = await join(user);
    expect(await workspacesOf(user)).toEqual([
      { workspace: joined, role: 'member' },
      { workspace: owned, role: 'owner' },
    ]);
  });

  it('lack those that the user left and those that were deleted', async () => {
    const user = newId();
    const [left, deleted, kept] = [await join(user), await join(user), await join(user)];
    await workspaceStore(dynamodb.table).removeMember(left.id, user);
    await dynamodb.table.client.send(
      new DeleteCommand({ TableName: dynamodb.table.name, Key: keys.workspace(deleted.id) }),
    );
    expect(await workspacesOf(user)).toEqual([{ workspace: kept, role: 'member' }]);
  });

  it('include those of an earlier table once its members are indexed', async () => {
    const user = newId();
    const workspace = await join(user);
    const workspaces = workspaceStore(dynamodb.table);
    const Key = keys.member(workspace.id, user);
    await dynamodb.table.client.send(
      new UpdateCommand({ TableName: dynamodb.table.name, Key, UpdateExpression: 'REMOVE gsi1pk, gsi1sk' }),
    );
    expect(await workspacesOf(user)).toEqual([]);
    expect(await workspaces.indexMember({ workspace: workspace.id, user })).toBe(true);
    expect(await workspacesOf(user)).toEqual([{ workspace, role: 'member' }]);
  });

  it('are not restored by an index of a member who has left', async () => {
    const user = newId();
    const workspace = await join(user);
    const workspaces = workspaceStore(dynamodb.table);
    await workspaces.removeMember(workspace.id, user);
    expect(await workspaces.indexMember({ workspace: workspace.id, user })).toBe(false);
    expect(await workspacesOf(user)).toEqual([]);
  });

  it('are read on in both directions, more than one call reads', async () => {
    const user = newId();
    const made: string[] = [];
    for (let count = 0; count < 120; count++) made.push((await join(user)).id);
    const list = async (towards: 'older' | 'newer', item: string) => {
      const found = memberships.listWorkspaces({ user, from: { item, towards }, wanted: 100 });
      return (await Array.fromAsync(found)).map(({ workspace }) => workspace.id);
    };
    expect((await workspacesOf(user)).map(({ workspace }) => workspace.id)).toEqual(made.toReversed());
    expect(await list('older', String(made[110]))).toEqual(made.slice(0, 110).toReversed());
    expect(await list('newer', String(made[10]))).toEqual(made.slice(11));
  });
});

describe('the numbers of a user', () => {
  it('are the active ones of all workspaces of the user, newest first', async () => {
    const [user, other] = [newId(), newId()];
    const [one, two, foreign] = [await join(user), await join(user), await join(other)];
    const numbers = [await newNumber(one.id), await newNumber(two.id), await newNumber(one.id)];
    await newNumber(one.id, { active: false });
    await newNumber(foreign.id);
    expect(await numbersOf(user)).toEqual(numbers.toReversed());
  });

  it('can be limited to one workspace, of which the user must be a member', async () => {
    const [user, other] = [newId(), newId()];
    const [one, two, foreign] = [await join(user), await join(user), await join(other)];
    const number = await newNumber(one.id);
    await newNumber(two.id);
    await newNumber(foreign.id);
    expect(await numbersOf(user, one.id)).toEqual([number]);
    expect(await numbersOf(user, foreign.id)).toEqual([]);
    expect(await numbersOf(user, newId())).toEqual([]);
  });

  it('are read on in both directions', async () => {
    const user = newId();
    const [one, two] = [await join(user), await join(user)];
    const made: string[] = [];
    for (let count = 0; count < 9; count++) made.push((await newNumber(count % 2 ? one.id : two.id)).id);
    const list = async (towards: 'older' | 'newer', item: string) => {
      const found = memberships.listNumbers({ user, workspace: undefined, from: { item, towards }, wanted: 2 });
      return (await Array.fromAsync(found)).map(({ number }) => number.id);
    };
    expect(await list('older', String(made[5]))).toEqual(made.slice(0, 5).toReversed());
    expect(await list('newer', String(made[5]))).toEqual(made.slice(6));
  });
});

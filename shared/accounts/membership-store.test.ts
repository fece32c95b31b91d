import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { phoneNumber } from '#support/phone-number.ts';
import { membershipStore } from './membership-store.ts';
import type { Role, Workspace } from './workspace.ts';
import { workspaceStore } from './workspace-store.ts';

const dynamodb = forAllTests(() => startTestTable());
const memberships = forAllTests(() => membershipStore(dynamodb.table));

async function join(user: string, role: Role = 'member'): Promise<Workspace> {
  const workspace: Workspace = { id: newId(), name: 'Acme', waba_id: null, created_at: 1_700_000_000_000 };
  await workspaceStore(dynamodb.table).create(workspace);
  await workspaceStore(dynamodb.table).putMember({ workspace: workspace.id, user, role });
  return workspace;
}

async function newNumber(workspace: string, members: Partial<PhoneNumber> = {}): Promise<PhoneNumber> {
  const number = phoneNumber({ workspace, ...members });
  await numberStore(dynamodb.table).create(number);
  return number;
}

const all = { from: undefined, wanted: 100 };
const workspacesOf = (user: string) => Array.fromAsync(memberships.listWorkspaces({ user, ...all }));
const numbersOf = async (user: string, workspace?: string) =>
  await Array.fromAsync(memberships.listNumbers({ user, workspace, ...all }));

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

  it('are read on in both directions, more than one call reads', async () => {
    const user = newId();
    const ids: string[] = [];
    for (let count = 0; count < 120; count++) ids.push((await join(user)).id);
    const list = async (towards: 'older' | 'newer', item: string) => {
      const found = memberships.listWorkspaces({ user, from: { item, towards }, wanted: 100 });
      return (await Array.fromAsync(found)).map(({ workspace }) => workspace.id);
    };
    expect((await workspacesOf(user)).map(({ workspace }) => workspace.id)).toEqual(ids.toReversed());
    expect(await list('older', String(ids[110]))).toEqual(ids.slice(0, 110).toReversed());
    expect(await list('newer', String(ids[10]))).toEqual(ids.slice(11));
  });
});

describe('the numbers of a user', () => {
  it('are the active ones of all workspaces of the user, of the newest workspace first', async () => {
    const [user, other] = [newId(), newId()];
    const [one, two, foreign] = [await join(user), await join(user), await join(other)];
    const numbers = [await newNumber(one.id), await newNumber(two.id), await newNumber(one.id)];
    await newNumber(one.id, { active: false });
    await newNumber(foreign.id);
    expect(await numbersOf(user)).toEqual([numbers[1], numbers[2], numbers[0]]);
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

  it('are read on in both directions, from one workspace to the next', async () => {
    const user = newId();
    const ids: string[] = [];
    for (const count of [4, 0, 3, 2]) {
      const workspace = await join(user);
      for (let number = 0; number < count; number++) ids.push((await newNumber(workspace.id)).id);
    }
    const list = async (towards: 'older' | 'newer', item: string) => {
      const found = memberships.listNumbers({ user, workspace: undefined, from: { item, towards }, wanted: 2 });
      return (await Array.fromAsync(found)).map(({ id }) => id);
    };
    for (const [index, item] of ids.entries()) {
      expect(await list('older', item)).toEqual(ids.slice(0, index).toReversed());
      expect(await list('newer', item)).toEqual(ids.slice(index + 1));
    }
  });

  it('of a page are read from as few workspaces as it needs, of however many there are', async () => {
    const user = newId();
    for (let count = 0; count < 40; count++) await newNumber((await join(user)).id);
    const queried = vi.spyOn(dynamodb.table.client, 'send');
    const found = memberships.listNumbers({ user, workspace: undefined, from: undefined, wanted: 5 });
    for (let count = 0; count < 6; count++) await found.next();
    const queries = queried.mock.calls.filter(([command]) => command instanceof QueryCommand);
    queried.mockRestore();
    expect(queries.length).toBeLessThan(20);
  });

  it('cannot be read on from a number that was deleted', async () => {
    const from = { item: newId(), towards: 'older' } as const;
    const found = memberships.listNumbers({ user: newId(), workspace: undefined, from, wanted: 2 });
    await expect(Array.fromAsync(found)).rejects.toMatchObject({ code: 'validation-failed' });
  });
});

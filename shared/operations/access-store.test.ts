import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createToken, hashToken, type TokenRecord } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { draft } from '#support/fakes/fake-flow-context.ts';
import { forAllTests } from '#support/for-tests.ts';
import { accessReader } from './access-store.ts';
import type { AccessReader } from './authorize.ts';

const user = newId();
const workspace: Workspace = { id: newId(), name: 'Lucky Shrub', waba_id: null, created_at: 0 };
const other: Workspace = { ...workspace, id: newId(), name: 'Other' };
const flow: FlowRecord = { ...draft, id: newId(), workspace: workspace.id };
const token: TokenRecord = { hash: hashToken(createToken()), user, label: 'test', created_at: 0, expires_at: 9e12 };

let read: AccessReader;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(async () => {
  const { client, name } = dynamodb.table;
  const workspaces = workspaceStore(dynamodb.table);
  await tokenStore(dynamodb.table).create(token);
  for (const each of [workspace, other]) await workspaces.create(each);
  await workspaces.putMember({ workspace: workspace.id, user, role: 'owner' });
  await client.send(new PutCommand({ TableName: name, Item: { ...keys.flow(workspace.id, flow.id), ...flow } }));
  read = accessReader(dynamodb.table);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const full = { tokenHash: token.hash, workspace: workspace.id, flow: flow.id };

describe('accessReader', () => {
  it('reads the token with workspace and Flow, then the membership, consistently', async () => {
    const send = vi.spyOn(dynamodb.table.client, 'send');
    expect(await read(full)).toMatchObject({
      token,
      workspace,
      membership: { workspace: workspace.id, user, role: 'owner' },
      flow,
    });
    const consistent = { input: { RequestItems: { [dynamodb.table.name]: { ConsistentRead: true } } } };
    expect(send.mock.calls).toMatchObject([[consistent], [consistent]]);
  });

  it.each([
    ['an unknown token', { tokenHash: hashToken('x') }, ['workspace', 'flow']],
    ['an unknown workspace', { workspace: newId() }, ['token']],
    ['no workspace', { workspace: undefined }, ['token']],
    ['a workspace that the user does not belong to', { workspace: other.id }, ['token', 'workspace']],
    ['an unknown Flow', { flow: newId() }, ['token', 'workspace', 'membership']],
    ['no Flow', { flow: undefined }, ['token', 'workspace', 'membership']],
  ])('leaves out items that do not exist: %s', async (_, query, expected) => {
    const found = Object.entries(await read({ ...full, ...query })).filter(([, value]) => value !== undefined);
    expect(found.map(([part]) => part)).toEqual(expected);
  });

  it('reads nothing more for an unknown token', async () => {
    const send = vi.spyOn(dynamodb.table.client, 'send');
    await read({ ...full, tokenHash: hashToken('x') });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('finds a token as soon as it exists, even if it was used before', async () => {
    const early: TokenRecord = { ...token, hash: hashToken(createToken()) };
    expect((await read({ tokenHash: early.hash })).token).toBeUndefined();
    await tokenStore(dynamodb.table).create(early);
    expect((await read({ tokenHash: early.hash })).token).toEqual(early);
  });

  it('does not find a Flow through another workspace', async () => {
    expect((await read({ ...full, workspace: other.id })).flow).toBeUndefined();
  });

  it('asks again for keys that DynamoDB returned as unprocessed', async () => {
    const real = dynamodb.table.client.send.bind(dynamodb.table.client);
    const { name } = dynamodb.table;
    const [first, ...left] = Object.values({ token: keys.token(token.hash), workspace: keys.workspace(workspace.id) });
    // The engine never throttles, so the first call returns only one key of two.
    vi.spyOn(dynamodb.table.client, 'send').mockImplementationOnce(async () => ({
      ...(await real(new BatchGetCommand({ RequestItems: { [name]: { Keys: [first ?? {}] } } }))),
      UnprocessedKeys: { [name]: { Keys: left } },
    }));
    const access = await read({ tokenHash: token.hash, workspace: workspace.id });
    expect(access).toMatchObject({ token, workspace });
  });

  it('reads nothing for a text that is not an id', async () => {
    await expect(read({ ...full, workspace: `${workspace.id}#x` })).rejects.toThrow(TypeError);
  });
});

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { createToken, hashToken, type TokenRecord } from './token.ts';
import { tokenStore, userStore } from './user-store.ts';

const dynamodb = forAllTests(() => startTestTable());
const users = forAllTests(() => userStore(dynamodb.table));
const tokens = forAllTests(() => tokenStore(dynamodb.table));

const newUser = (name: string) => ({ id: newId(), name, created_at: 1_700_000_000_000 });

describe('users', () => {
  it('reads users as they were created, and lists them in the order of creation', async () => {
    const [ana, bruno] = [newUser('Ana'), newUser('Bruno')];
    await users.create(ana);
    await users.create(bruno);
    expect(await users.get(ana.id)).toEqual(ana);
    expect(await users.list()).toEqual([ana, bruno]);
  });

  it('keeps the existing user if its id is created a second time', async () => {
    const user = newUser('Carla');
    await users.create(user);
    await expect(users.create({ ...user, name: 'Other' })).rejects.toThrow();
    expect(await users.get(user.id)).toEqual(user);
  });
});

const newRecord = (user = newId()): TokenRecord => ({
  hash: hashToken(createToken()),
  user,
  label: 'test',
  created_at: 1_700_000_000_000,
});

async function storedItem({ hash }: TokenRecord): Promise<Record<string, unknown> | undefined> {
  const { client, name } = dynamodb.table;
  return (await client.send(new GetCommand({ TableName: name, Key: keys.token(hash) }))).Item;
}

describe('tokens', () => {
  it('finds a token by its hash, with and without an expiry', async () => {
    const lasting = newRecord();
    const passing = { ...newRecord(), expires_at: 1_800_000_000_500 };
    await tokens.create(lasting);
    await tokens.create(passing);
    expect(await tokens.get(lasting.hash)).toEqual(lasting);
    expect(await tokens.get(passing.hash)).toEqual(passing);
    expect(await tokens.get(hashToken(createToken()))).toBeUndefined();
  });

  it('lets DynamoDB remove a token after its expiry, never before, and no token without one', async () => {
    const lasting = newRecord();
    const passing = { ...newRecord(), expires_at: 1_800_000_000_500 };
    await tokens.create(lasting);
    await tokens.create(passing);
    expect(await storedItem(passing)).toMatchObject({ expires_at_seconds: 1_800_000_001 });
    expect(await storedItem(lasting)).not.toHaveProperty('expires_at_seconds');
  });

  it('lists the tokens of one user and of no other', async () => {
    const user = newId();
    const [one, another] = [newRecord(user), newRecord(user)];
    for (const record of [one, newRecord(), another]) await tokens.create(record);
    const listed = await tokens.listByUser(user);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining([one, another]));
  });

  it('revokes a token once and does not affect the others', async () => {
    const user = newId();
    const [revoked, kept] = [newRecord(user), newRecord(user)];
    for (const record of [revoked, kept]) await tokens.create(record);
    expect(await tokens.revoke(revoked.hash)).toBe(true);
    expect(await tokens.revoke(revoked.hash)).toBe(false);
    expect(await tokens.get(revoked.hash)).toBeUndefined();
    expect(await tokens.listByUser(user)).toEqual([kept]);
  });

  it('does not give a token to another user', async () => {
    const record = newRecord();
    await tokens.create(record);
    await expect(tokens.create({ ...record, user: newId() })).rejects.toThrow();
    expect(await tokens.get(record.hash)).toEqual(record);
  });
});

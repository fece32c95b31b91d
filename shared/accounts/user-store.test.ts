import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { type UserStore, userStore } from './user-store.ts';

let dynamodb: TestTable;
let users: UserStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  users = userStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

const newUser = (name: string) => ({ id: newId(), name, created_at: 1_700_000_000_000 });

describe('users', () => {
  it('reads users as they were created, and lists them in the order of creation', async () => {
    const [ana, bruno] = [newUser('Ana'), newUser('Bruno')];
    await users.create(ana);
    await users.create(bruno);
    expect(await users.get(ana.id)).toEqual(ana);
    expect(await users.list()).toEqual([ana, bruno]);
  });

  it('finds no user that was not created', async () => {
    expect(await users.get(newId())).toBeUndefined();
  });

  it('keeps the existing user if its id is created a second time', async () => {
    const user = newUser('Carla');
    await users.create(user);
    await expect(users.create({ ...user, name: 'Other' })).rejects.toThrow();
    expect(await users.get(user.id)).toEqual(user);
  });
});

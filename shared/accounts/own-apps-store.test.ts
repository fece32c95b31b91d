import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { type VerifyTokenStore, verifyTokenStore } from './credentials-store.ts';
import { hashToken } from './token.ts';

let dynamodb: TestTable;
let verifyTokens: VerifyTokenStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  verifyTokens = verifyTokenStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

describe('a verify token', () => {
  it('leads to its workspace until it is removed', async () => {
    const [hash, workspace] = [hashToken('first'), newId()];
    expect(await verifyTokens.find(hash)).toBeUndefined();
    expect(await verifyTokens.enter(hash, workspace)).toBe(true);
    expect(await verifyTokens.find(hash)).toBe(workspace);
    await verifyTokens.remove(hash);
    expect(await verifyTokens.find(hash)).toBeUndefined();
  });

  it('belongs to one workspace, which may enter it again', async () => {
    const [hash, workspace] = [hashToken('second'), newId()];
    await verifyTokens.enter(hash, workspace);
    expect(await verifyTokens.enter(hash, workspace)).toBe(true);
    expect(await verifyTokens.enter(hash, newId())).toBe(false);
    expect(await verifyTokens.find(hash)).toBe(workspace);
  });
});

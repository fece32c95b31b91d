import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findJava } from './aws/dynamodb/dynamodb-local.ts';
import type { Engine } from './aws/dynamodb/engine.ts';
import { startDatabase } from './database.ts';
import { OptionError } from './options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function call({ url, accessKeyId }: Engine, operation: string, input: unknown, origin?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      ...(origin && { origin }),
    },
    body: JSON.stringify(input),
  });
  return { headers: response.headers, body: (await response.json()) as Record<string, unknown> };
}

const createTable = {
  TableName: 'Kept',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};
const tablesOf = async (engine: Engine) => (await call(engine, 'ListTables', {})).body.TableNames;

/** Starts the engine twice on the same folder. Returns its tables after a table was created the first time. */
async function restarted(): Promise<unknown> {
  const first = await startDatabase(folder, undefined);
  await call(first, 'CreateTable', createTable);
  await first.close();
  const second = await startDatabase(folder, undefined);
  try {
    expect(second.accessKeyId).toBe(first.accessKeyId);
    return await tablesOf(second);
  } finally {
    await second.close();
  }
}

describe('the DynamoDB engine of the local world', () => {
  it('is the one that AWS_ENDPOINT_URL_DYNAMODB names, under an access key id that is kept with the data', async () => {
    const url = 'http://127.0.0.1:8000';
    const { accessKeyId } = await startDatabase(folder, url);
    expect(accessKeyId).toMatch(/^[A-Za-z0-9]{16,}$/);
    expect(await startDatabase(folder, url)).toMatchObject({ url, accessKeyId });
  });

  it('is dynoxide where npm has it, and keeps its data', async () => {
    expect(await restarted()).toEqual(['Kept']);
  });

  it.runIf(process.platform === 'linux')('is dynoxide at an address that no page can guess', async () => {
    const engine = await startDatabase(folder, undefined);
    await engine.close();
    expect(new URL(engine.url).hostname).toMatch(/^127\.(?!0\.0\.1$)/);
  });

  it('is missing without dynoxide and Java, and one sentence says what to do', async () => {
    vi.stubEnv('SIMULATE_MISSING', 'dynoxide,java');
    const starting = startDatabase(folder, undefined);
    await expect(starting).rejects.toThrow(OptionError);
    await expect(starting).rejects.toThrow(
      `run "npm install --no-save @dynoxide/${process.platform}-${process.arch}@1.2.1", or install Java 17`,
    );
  });
});

describe.skipIf(findJava() === undefined)("Amazon's DynamoDB Local", () => {
  beforeEach(() => {
    vi.stubEnv('SIMULATE_MISSING', 'dynoxide');
  });

  it('is the engine where there is Java but no dynoxide, and keeps its data', async () => {
    expect(await restarted()).toEqual(['Kept']);
  });

  it('shows its tables to nobody who does not know the access key id, and no page of another origin', async () => {
    const engine = await startDatabase(folder, undefined);
    try {
      await call(engine, 'CreateTable', createTable);
      expect(await tablesOf({ ...engine, accessKeyId: 'somebody' })).toEqual([]);
      const { headers } = await call(engine, 'ListTables', {}, 'https://evil.example');
      expect(String(headers.get('access-control-allow-origin'))).not.toMatch(/\*|evil/);
    } finally {
      await engine.close();
    }
  });
});

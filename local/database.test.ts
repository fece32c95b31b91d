import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from './aws/base/http/free-port.ts';
import { listenOnLoopback } from './aws/base/http/loopback.ts';
import { findJava } from './aws/dynamodb/dynamodb-local.ts';
import { type Engine, EngineError } from './aws/dynamodb/engine.ts';
import { startDatabase, waysToAnEngine } from './database.ts';
import { OptionError } from './start/options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A server that responds to everything with this. */
async function startServer(body: unknown): Promise<{ url: string }> {
  const server = createServer((_, response) => void response.end(JSON.stringify(body)));
  const { url, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  return { url };
}

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
async function restarted(inspect?: (engine: Engine) => Promise<void>): Promise<unknown> {
  const first = await startDatabase(folder, undefined);
  await call(first, 'CreateTable', createTable);
  await inspect?.(first);
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
    const { url } = await startServer({ TableNames: [] });
    const { accessKeyId } = await startDatabase(folder, url);
    expect(accessKeyId).toMatch(/^[A-Za-z0-9]{16,}$/);
    expect(await startDatabase(folder, url)).toMatchObject({ url, accessKeyId });
  });

  it('must respond where AWS_ENDPOINT_URL_DYNAMODB says, or one sentence says that it does not', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { url: other } = await startServer({ hello: 'world' });
    for (const url of [nobody, other]) {
      await expect(startDatabase(folder, url)).rejects.toThrow(
        new OptionError(
          `No DynamoDB engine responds at ${url}, which AWS_ENDPOINT_URL_DYNAMODB names: start it, or unset the variable.`,
        ),
      );
    }
  });

  it('is dynoxide where npm has it, and keeps its data', async () => {
    expect(await restarted()).toEqual(['Kept']);
  });

  it.runIf(process.platform === 'linux')('is dynoxide at an address that no page can guess', async () => {
    const engine = await startDatabase(folder, undefined);
    await engine.close();
    expect(new URL(engine.url).hostname).toMatch(/^127\.(?!0\.0\.1$)/);
  });

  it('is named, with the command that shows why, if dynoxide does not start', async () => {
    await mkdir(join(folder, 'dynoxide.db'));
    const starting = startDatabase(folder, undefined);
    await expect(starting).rejects.toThrow(EngineError);
    await expect(starting).rejects.toThrow(
      /^dynoxide does not start\. To see why, run: \S+dynoxide\S* serve --host .*$/,
    );
  });

  it.skipIf(process.platform === 'win32')(
    'is named, with the command that shows why, if DynamoDB Local does not start',
    async () => {
      vi.stubEnv('SIMULATE_MISSING', 'dynoxide');
      vi.stubEnv('JAVA_HOME', folder);
      const java = join(folder, 'bin/java');
      await mkdir(join(folder, 'bin'));
      await writeFile(java, '#!/bin/sh\n[ "$1" = --version ] && echo openjdk 17.0.21\n', { mode: 0o755 });
      const starting = startDatabase(folder, undefined);
      await expect(starting).rejects.toThrow(EngineError);
      await expect(starting).rejects.toThrow(`DynamoDB Local does not start. To see why, run: ${java} -Djava`);
    },
  );

  it('comes with a warning if it is dynoxide on a system where web pages can find it', async () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
    onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
    for (const [value, warnings] of [
      ['linux', []],
      ['darwin', [expect.stringMatching(/^warning: dynoxide listens at 127\.0\.0\.1, .* install Java 17/)]],
    ] as const) {
      Object.defineProperty(process, 'platform', { ...platform, value });
      const heard: string[] = [];
      const engine = await startDatabase(folder, undefined, (text) => heard.push(text));
      await engine.close();
      expect(heard).toEqual(warnings);
    }
  });

  it('is missing without dynoxide and Java, and one sentence says what to do', async () => {
    vi.stubEnv('SIMULATE_MISSING', 'dynoxide,java');
    const starting = startDatabase(folder, undefined);
    await expect(starting).rejects.toThrow(OptionError);
    await expect(starting).rejects.toThrow(
      `this machine (${process.platform}-${process.arch}) has none: ${waysToAnEngine(`${process.platform}-${process.arch}`)}.`,
    );
  });

  const orVariable = ', or set AWS_ENDPOINT_URL_DYNAMODB to the address of an engine';
  it.each([
    ['linux-x64', 'run "npm install --no-save @dynoxide/linux-x64@1.2.1", or install Java 17'],
    ['darwin-arm64', 'install Java 17, or run "npm install --no-save @dynoxide/darwin-arm64@1.2.1"'],
    ['win32-x64', 'install Java 17, or run "npm install --no-save @dynoxide/win32-x64@1.2.1"'],
    ['win32-arm64', 'install Java 17'],
    ['freebsd-x64', 'install Java 17'],
  ])('can come from what there is for %s, the best first', (platform, ways) => {
    expect(waysToAnEngine(platform)).toBe(ways + orVariable);
  });
});

describe.skipIf(findJava() === undefined)("Amazon's DynamoDB Local", () => {
  beforeEach(() => {
    vi.stubEnv('SIMULATE_MISSING', 'dynoxide');
  });

  it('is the engine where there is Java but no dynoxide, keeps its data, and shows them to nobody else', async () => {
    const tables = await restarted(async (engine) => {
      expect(await tablesOf({ ...engine, accessKeyId: 'somebody' })).toEqual([]);
      const { headers } = await call(engine, 'ListTables', {}, 'https://evil.example');
      expect(String(headers.get('access-control-allow-origin'))).not.toMatch(/\*|evil/);
    });
    expect(tables).toEqual(['Kept']);
  });
});

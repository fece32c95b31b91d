import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecretsManager } from '#local/aws/secrets-manager/server.ts';
import type { Connection } from '#shared/aws/connection.ts';
import { type SecretsManager, secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { type FlowKeyStore, flowKeyStore } from './flow-key-store.ts';
import { ensureKeys, rotateKeys } from './flow-keys.ts';

const prefix = 'messaging/test/flow-keys/';

let server: Awaited<ReturnType<typeof startSecretsManager>>;
let dataDir: string;
let connection: Connection;
let client: SecretsManager;
let flowKeys: FlowKeyStore;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flow-keys-'));
  server = await startSecretsManager({ dataDir, signers: testSigners });
  connection = { endpoint: server.url, region: 'us-east-1', credentials: testCredentials };
  client = secretsManager(connection);
  flowKeys = flowKeyStore('messaging/test/upstream', client);
});
afterAll(async () => {
  client.destroy();
  await server.close();
  await rm(dataDir, { recursive: true });
});

const context = () => ({ flowKeys, now: () => 1_000 });

const createSecret = (Name: string, SecretString: string) =>
  client.send(new CreateSecretCommand({ Name, SecretString }));

describe('the keys of a workspace', () => {
  it('do not exist at first, and then one is created that stays', async () => {
    const workspace = newId();
    expect(await flowKeys.read(workspace)).toEqual({ keys: [] });
    const keys = await ensureKeys(workspace, context());
    expect(keys).toEqual([{ private_key: expect.stringContaining('BEGIN PRIVATE KEY'), created_at: 1_000 }]);
    expect(await ensureKeys(workspace, context())).toEqual(keys);
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
  });

  it('overlap when they are rotated: the two newest are kept', async () => {
    const workspace = newId();
    const [first] = await rotateKeys(workspace, context());
    const [second, overlapping] = await rotateKeys(workspace, context());
    expect(overlapping).toEqual(first);
    const third = await rotateKeys(workspace, context());
    expect(third).toEqual([expect.anything(), second]);
    expect((await flowKeys.read(workspace)).keys).toEqual(third);
  });

  it('are created once, however many processes ask at the same time', async () => {
    const workspace = newId();
    const created = await Promise.all(Array.from({ length: 4 }, () => ensureKeys(workspace, context())));
    expect(new Set(created.map((keys) => JSON.stringify(keys))).size).toBe(1);
  });

  it('are not overwritten by a process that read them before another wrote', async () => {
    const workspace = newId();
    await rotateKeys(workspace, context());
    const ring = await flowKeys.read(workspace);
    const [newest] = await rotateKeys(workspace, context());
    expect(await flowKeys.replace(workspace, ring, [])).toBe(false);
    expect((await flowKeys.read(workspace)).keys[0]).toEqual(newest);
  });

  it('are not quoted in the error if the secret is malformed', async () => {
    const workspace = newId();
    const Name = prefix + workspace;
    await createSecret(Name, '{"flow_keys":"canary"}');
    await expect(flowKeys.read(workspace)).rejects.toThrow(`The secret ${Name} is not {"flow_keys": […]}`);
  });
});

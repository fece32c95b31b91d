import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecretsManager } from '../../local/secrets-manager/server.ts';
import { ensureKeys, rotateKeys } from '../flow-endpoint/key-ring.ts';
import { newId } from '../ids.ts';
import { type FlowKeyStore, flowKeyStore } from './flow-keys.ts';
import { secretsManager } from './secrets-manager.ts';

const prefix = 'messaging/test/workspaces/';

let server: Awaited<ReturnType<typeof startSecretsManager>>;
let dataDir: string;
let client: ReturnType<typeof secretsManager>;
let flowKeys: FlowKeyStore;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flow-keys-'));
  server = await startSecretsManager({ dataDir, region: 'us-east-1', authorize: () => {} });
  client = secretsManager({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  flowKeys = flowKeyStore('messaging/test/upstream', () => client);
});
afterAll(async () => {
  client.destroy();
  await server.close();
  await rm(dataDir, { recursive: true });
});

const context = () => ({ flowKeys, now: () => 1_000 });

async function secretOf(workspace: string) {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: prefix + workspace }));
  return JSON.parse(String(SecretString));
}

describe('the keys of a workspace', () => {
  it('are none at first, then one that stays', async () => {
    const workspace = newId();
    expect(await flowKeys.read(workspace)).toEqual({ keys: [] });
    const keys = await ensureKeys(workspace, context());
    expect(keys).toEqual([{ private_key: expect.stringContaining('BEGIN PRIVATE KEY'), created_at: 1_000 }]);
    expect(await ensureKeys(workspace, context())).toEqual(keys);
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
  });

  it('are rotated with overlap: the two newest are kept', async () => {
    const workspace = newId();
    const [first] = await rotateKeys(workspace, context());
    const [second, overlapping] = await rotateKeys(workspace, context());
    expect(overlapping).toEqual(first);
    const third = await rotateKeys(workspace, context());
    expect(third).toEqual([expect.anything(), second]);
    expect((await flowKeys.read(workspace)).keys).toEqual(third);
  });

  it('stand beside what operators keep in the same secret', async () => {
    const workspace = newId();
    const Name = prefix + workspace;
    await client.send(new CreateSecretCommand({ Name, SecretString: '{"access_token":"t"}' }));
    const keys = await ensureKeys(workspace, context());
    expect(await secretOf(workspace)).toEqual({ access_token: 't', flow_keys: keys });
  });

  it('are made once, whoever asks at the same time', async () => {
    const workspace = newId();
    const made = await Promise.all(Array.from({ length: 4 }, () => ensureKeys(workspace, context())));
    expect(new Set(made.map((keys) => JSON.stringify(keys))).size).toBe(1);
  });

  it('are not overwritten by who read them before another wrote', async () => {
    const workspace = newId();
    await rotateKeys(workspace, context());
    const ring = await flowKeys.read(workspace);
    const [newest] = await rotateKeys(workspace, context());
    expect(await flowKeys.replace(workspace, ring, [])).toBe(false);
    expect((await flowKeys.read(workspace)).keys[0]).toEqual(newest);
  });

  it('are not quoted when the secret is no good', async () => {
    const workspace = newId();
    const Name = prefix + workspace;
    await client.send(new CreateSecretCommand({ Name, SecretString: '{"flow_keys":"canary"}' }));
    await expect(flowKeys.read(workspace)).rejects.toThrow(`The secret ${Name} is not {"flow_keys": […], …}`);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecretsManager } from '#local/aws/secrets-manager/server.ts';
import { newId } from '#shared/base/ids.ts';
import { createFlowKey } from '#shared/domain/flow-endpoint/flow-key.ts';
import type { FlowKeyStore } from '#shared/domain/flow-endpoint/flow-key-store.ts';
import { ensureKeys, rotateKeys } from '#shared/domain/flow-endpoint/key-ring.ts';
import { testCredentials, testSigners } from '#test/support/aws-credentials.ts';
import type { Connection } from '../aws-sdk/connection.ts';
import { type SecretsManager, secretsManager } from './client.ts';
import { flowKeyStore } from './flow-keys.ts';

const prefix = 'messaging/test/flow-keys/';
const formerPrefix = 'messaging/test/workspaces/';

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

async function contentOf(SecretId: string) {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  return JSON.parse(String(SecretString));
}

/** A workspace whose keys are where earlier versions stored them. */
async function workspaceOfBefore(more: object = {}) {
  const workspace = newId();
  const keys = [await createFlowKey(2), await createFlowKey(1)];
  const SecretString = JSON.stringify({ ...more, flow_keys: keys });
  await createSecret(formerPrefix + workspace, SecretString);
  return { workspace, keys };
}

/** A store whose connection breaks at the nth write, either before or after Secrets Manager receives it. */
function breakingStore(write: number, moment: 'before' | 'after'): FlowKeyStore {
  let writes = 0;
  const send = async (command: GetSecretValueCommand) => {
    const isWrite = 'SecretString' in command.input;
    if (isWrite) writes++;
    const breaks = isWrite && writes === write;
    if (breaks && moment === 'before') throw new Error('crash');
    const output = await client.send(command);
    if (breaks) throw new Error('crash');
    return output;
  };
  return flowKeyStore('messaging/test/upstream', { ...client, send: send as SecretsManager['send'] });
}

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
    const made = await Promise.all(Array.from({ length: 4 }, () => ensureKeys(workspace, context())));
    expect(new Set(made.map((keys) => JSON.stringify(keys))).size).toBe(1);
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
    await expect(flowKeys.read(workspace)).rejects.toThrow(`The secret ${Name} is not {"flow_keys": […], …}`);
  });
});

describe('keys that an earlier version stored in the workspace’s secret', () => {
  it('are read from there, and are rotated into a secret of their own', async () => {
    const { workspace, keys } = await workspaceOfBefore();
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
    expect(await ensureKeys(workspace, context())).toEqual(keys);
    const rotated = await rotateKeys(workspace, context());
    expect(rotated).toEqual([expect.anything(), keys[0]]);
    expect(await contentOf(prefix + workspace)).toEqual({ flow_keys: rotated });
  });

  it('are moved without changing the other members of that secret', async () => {
    const { workspace, keys } = await workspaceOfBefore({ access_token: 't' });
    expect(await flowKeys.move(workspace)).toBe(true);
    expect(await contentOf(prefix + workspace)).toEqual({ flow_keys: keys });
    expect(await contentOf(formerPrefix + workspace)).toEqual({ access_token: 't' });
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
    expect(await flowKeys.move(workspace)).toBe(false);
  });

  it.each([
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [2, 'after'],
  ] as const)('are never lost if the move is interrupted at write %i, %s it', async (write, moment) => {
    const { workspace, keys } = await workspaceOfBefore();
    await expect(breakingStore(write, moment).move(workspace)).rejects.toThrow('crash');
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
    await flowKeys.move(workspace);
    expect((await flowKeys.read(workspace)).keys).toEqual(keys);
    expect(await contentOf(formerPrefix + workspace)).toEqual({});
  });

  it('are merged with keys that were created meanwhile', async () => {
    const { workspace, keys } = await workspaceOfBefore();
    const created = await createFlowKey(3);
    await flowKeys.replace(workspace, { keys: [] }, [created]);
    await flowKeys.move(workspace);
    expect((await flowKeys.read(workspace)).keys).toEqual([created, ...keys]);
  });

  it('are found by a process that reads while they are moved', async () => {
    const { workspace, keys } = await workspaceOfBefore();
    let reads = 0;
    const send = async (command: GetSecretValueCommand) => {
      if (++reads === 2) await flowKeys.move(workspace);
      return client.send(command);
    };
    const store = flowKeyStore('messaging/test/upstream', { ...client, send: send as SecretsManager['send'] });
    expect((await store.read(workspace)).keys).toEqual(keys);
  });

  it('may be in a secret that is scheduled for deletion once they are moved', async () => {
    const { workspace } = await workspaceOfBefore();
    const sdk = new SecretsManagerClient(connection);
    await sdk.send(new DeleteSecretCommand({ SecretId: formerPrefix + workspace }));
    sdk.destroy();
    expect(await flowKeys.move(workspace)).toBe(false);
    expect(await flowKeys.read(workspace)).toEqual({ keys: [] });
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecretsManager } from '#local/aws/secrets-manager/server.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import { createFlowKey, fingerprint, publicKeyOf } from '#shared/flow-endpoint/flow-keys.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { runCommand } from '#support/command-line.ts';
import { accessToken, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';
import { openService, openUpstream, type Service } from './service.ts';
import { Rejection } from './terminal/errors.ts';
import { renderJson } from './terminal/render.ts';

const phoneNumberIds = ['5001', '5002', '5003', '5004', '5005'];
const now = Date.parse('2026-08-01T12:00:00Z');

let dynamodb: TestTable;
let secrets: Awaited<ReturnType<typeof startSecretsManager>>;
let dataDir: string;
let graph: Awaited<ReturnType<typeof startTestUpstream>>;
let client: ReturnType<typeof secretsManager>;
let service: Service;
/** The same service before an access token is stored. */
let newService: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keys-'));
  const phone_numbers = phoneNumberIds.map((id) => ({ id, display_phone_number: `+${id}` }));
  [dynamodb, secrets, graph] = await Promise.all([
    startTestTable(),
    startSecretsManager({ dataDir, signers: testSigners }),
    startTestUpstream({ accounts: [{ waba_id: wabaId, phone_numbers }] }),
  ]);
  const connection = {
    endpoint: secrets.url,
    region: 'us-east-1',
    credentials: testCredentials,
  };
  const secretId = 'messaging/test/upstream';
  client = secretsManager(connection);
  await putSecret(secretId, { access_token: accessToken });
  const place = { secretId, baseUrl: graph.url, graphVersion: 'v25.0', connection };
  service = openService(
    { table: dynamodb.table, openUpstream: (workspace) => openUpstream(place, workspace) },
    () => now,
  );
  const empty = { ...place, secretId: 'messaging/new/upstream' };
  await putSecret(empty.secretId, { access_token: '' });
  newService = openService({ table: dynamodb.table, openUpstream: (workspace) => openUpstream(empty, workspace) });
});
afterAll(async () => {
  client.destroy();
  await Promise.all([dynamodb.close(), secrets.close(), graph.close()]);
  await rm(dataDir, { recursive: true });
});

async function putSecret(Name: string, content: object): Promise<void> {
  await client.send(new CreateSecretCommand({ Name, SecretString: JSON.stringify(content) }));
}

async function json(...words: string[]) {
  return JSON.parse(renderJson(await runCommand(service, ...words)));
}

/** A workspace with one number; each test has its own phone number id. */
async function workspaceWithNumber() {
  const workspace: string = (await json('workspace', 'create', '--name', 'Acme')).id;
  const phoneNumberId = String(phoneNumberIds.shift());
  const ids = ['--phone-number-id', phoneNumberId, '--display-phone-number', `+${phoneNumberId}`];
  const number: string = (await json('number', 'create', '--workspace', workspace, ...ids)).id;
  const registered = async () => {
    const { data } = (await graph.graph('GET', `/${phoneNumberId}/whatsapp_business_encryption`)).json;
    return data[0] && fingerprint(data[0].business_public_key);
  };
  const register = (business_public_key: string) =>
    graph.graph('POST', `/${phoneNumberId}/whatsapp_business_encryption`, { business_public_key });
  return { workspace, number, registered, register };
}

describe('key', () => {
  it('is created once, registered, and rotated with overlap', async () => {
    const { workspace, number, registered } = await workspaceWithNumber();
    const created = await json('key', 'create', workspace);
    expect(created).toEqual({
      workspace,
      keys: [
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          use: 'current',
          created_at: '2026-08-01T12:00:00.000000Z',
        },
      ],
    });
    const first = created.keys[0].fingerprint;
    await expect(json('key', 'create', workspace)).rejects.toThrow(
      `To make a new one: ./messaging key rotate ${workspace}`,
    );
    expect((await json('key', 'list', workspace)).numbers).toEqual([
      { id: number, display_phone_number: '+5001', active: true, registered_key: 'none' },
    ]);

    expect(await json('key', 'register', number)).toMatchObject({ id: number, registered_key: 'current' });
    expect(await registered()).toBe(first);

    expect((await runCommand(service, 'key', 'rotate', workspace, '--dry-run')).note).toContain(
      `This creates a new key for workspace ${workspace}, and registers it for ${number}. This removes nothing. `,
    );
    const rotated = await json('key', 'rotate', workspace);
    const [second] = rotated.keys;
    expect(rotated.keys).toEqual([
      expect.objectContaining({ use: 'current' }),
      expect.objectContaining({ use: 'previous', fingerprint: first }),
    ]);
    expect(rotated.numbers).toEqual([expect.objectContaining({ registered_key: 'current' })]);
    expect(await registered()).toBe(second.fingerprint);
    expect(await json('key', 'list', workspace)).toEqual(rotated);
  });

  it('of another owner is shown, not changed by a rotation, and replaced on request', async () => {
    const { workspace, number, registered, register } = await workspaceWithNumber();
    const foreign = publicKeyOf(await createFlowKey(0));
    await register(foreign);
    expect((await json('key', 'rotate', workspace)).numbers).toEqual([
      expect.objectContaining({ registered_key: 'foreign' }),
    ]);
    expect(await registered()).toBe(fingerprint(foreign));
    expect(await json('key', 'register', number)).toMatchObject({ registered_key: 'current' });
  });

  it('is not rotated while a number still has the previous key', async () => {
    const { workspace, number, register } = await workspaceWithNumber();
    await json('key', 'create', workspace);
    const { keys } = await service.upstream().flowKeys.read(workspace);
    await json('key', 'rotate', workspace);
    for (const key of keys) await register(publicKeyOf(key));
    await expect(json('key', 'rotate', workspace)).rejects.toThrow(`first: ./messaging key register ${number}`);
    await json('key', 'register', number);
    await json('key', 'rotate', workspace);
  });

  it('is created by registering it for a number, if the workspace has none', async () => {
    const { workspace, number, registered } = await workspaceWithNumber();
    expect(await json('key', 'register', number)).toMatchObject({ id: number, registered_key: 'current' });
    expect(await registered()).toBe((await json('key', 'list', workspace)).keys[0].fingerprint);
  });

  it('needs a workspace, or a number, that exists', async () => {
    const unknown = newId();
    for (const verb of ['create', 'rotate', 'list']) {
      await expect(json('key', verb, unknown)).rejects.toThrow('There is no workspace');
    }
    await expect(json('key', 'register', unknown)).rejects.toThrow(Rejection);
  });
});

describe('a number that the platform does not know', () => {
  const ids = ['--phone-number-id', '5998', '--display-phone-number', '+5998'];

  it('is not created by default', async () => {
    const workspace: string = (await json('workspace', 'create', '--name', 'Acme')).id;
    const create = (...more: string[]) => json('number', 'create', '--workspace', workspace, ...ids, ...more);
    await expect(create()).rejects.toThrow('--unchecked');
    expect(await service.numbers.listByWorkspace(workspace)).toEqual([]);
    const { id } = await create('--unchecked');
    expect(await json('number', 'check', id)).toMatchObject({ id, known_to_platform: false });
    await json('key', 'create', workspace);
    expect((await json('key', 'list', workspace)).numbers).toEqual([
      expect.objectContaining({ id, registered_key: 'unknown to the platform' }),
    ]);
    await json('number', 'delete', id);
  });

  it('is distinguished from one that it knows', async () => {
    const { number } = await workspaceWithNumber();
    expect(await json('number', 'check', number)).toMatchObject({ id: number, known_to_platform: true });
  });
});

describe('without an access token, a number', () => {
  it('is created, with each command for later at the end of a line', async () => {
    const workspace: string = (await json('workspace', 'create', '--name', 'Acme')).id;
    const ids = ['--phone-number-id', '5997', '--display-phone-number', '+5997'];
    const { value, note } = await runCommand(
      newService,
      'number',
      'create',
      '--workspace',
      workspace,
      ...ids,
      '--live',
    );
    expect(note?.split('\n')).toEqual([
      expect.stringMatching(/No access token is stored\. Store it: \.\/messaging upstream set --live$/),
      `To check it later: ./messaging number check ${Reflect.get(value, 'id')} --live`,
    ]);
  });

  it('is not checked, and the command that stores one names the service', async () => {
    const workspace: string = (await json('workspace', 'create', '--name', 'Acme')).id;
    const ids = ['--phone-number-id', '5996', '--display-phone-number', '+5996', '--unchecked'];
    const { id: number } = await json('number', 'create', '--workspace', workspace, ...ids);
    await expect(runCommand(newService, 'number', 'check', number, '--stage', 'prod')).rejects.toThrow(
      /^No access token is stored\. Store it: \.\/messaging upstream set --stage prod$/,
    );
  });
});

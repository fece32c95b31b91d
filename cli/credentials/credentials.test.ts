import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecretsManager } from '#local/aws/secrets-manager/server.ts';
import { hashToken } from '#shared/accounts/token.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { runCommand } from '#support/command-line.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { accessToken, appSecret, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';
import { openService, openUpstream, type Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import type { SetOptions } from '../terminal/hints.ts';
import { renderJson } from '../terminal/render.ts';
import { setCredentials } from './set-credentials.ts';

let dynamodb: TestTable;
let secrets: Awaited<ReturnType<typeof startSecretsManager>>;
let dataDir: string;
let graph: Awaited<ReturnType<typeof startTestUpstream>>;
let client: ReturnType<typeof secretsManager>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'credentials-'));
  [dynamodb, secrets, graph] = await Promise.all([
    startTestTable(),
    startSecretsManager({ dataDir, signers: testSigners }),
    startTestUpstream(),
  ]);
  client = secretsManager(connection());
});
afterAll(async () => {
  client.destroy();
  await Promise.all([dynamodb.close(), secrets.close(), graph.close()]);
  await rm(dataDir, { recursive: true });
});

const connection = () => ({ endpoint: secrets.url, region: 'us-east-1', credentials: testCredentials });

/** A deployment of its own, whose secret has these values. */
async function deployment(values: object = { access_token: '', app_secret: '', verify_token: 'verify' }) {
  const folder = newId();
  const secretId = `${folder}/upstream`;
  await client.send(new CreateSecretCommand({ Name: secretId, SecretString: JSON.stringify(values) }));
  const place = { secretId, baseUrl: graph.url, graphVersion: 'v25.0', connection: connection() };
  const service = openService({
    table: dynamodb.table,
    openUpstream: (workspace) => openUpstream(place, workspace),
  });
  const stored = async (name = 'upstream') => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: `${folder}/${name}` }));
    return JSON.parse(String(SecretString));
  };
  return { service, stored, folder };
}

async function newWorkspace({ workspaces }: Service, waba_id: string | null = wabaId): Promise<Workspace> {
  const workspace = { id: newId(), name: 'Acme', waba_id, created_at: 0 };
  await workspaces.create(workspace);
  return workspace;
}

async function addNumber({ numbers }: Service, workspace: string): Promise<string> {
  const id = newId();
  await numbers.create({
    id,
    workspace,
    phone_number_id: newId(),
    display_phone_number: '+1',
    active: true,
    calling_enabled: false,
    created_at: 0,
  });
  return id;
}

/** Enters values as a script does. */
async function set(service: Service, input: object | string, options: SetOptions = {}, workspace?: Workspace) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const current = workspace && (await service.workspaces.get(workspace.id));
  const source = { isInteractive: false, askSecret: async () => '', readInput: async () => text };
  return setCredentials(service, current, options, source);
}

const json = async (service: Service, ...words: string[]) =>
  JSON.parse(renderJson(await runCommand(service, ...words)));

const good = { access_token: accessToken, app_secret: appSecret };

describe('upstream set', () => {
  it('checks the values with the platform, stores them, and shows none of them', async () => {
    const { service, stored } = await deployment();
    const result = await set(service, good);
    expect(await stored()).toEqual({ ...good, verify_token: 'verify' });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${accessToken}|${appSecret}`));
  });

  it('leaves an empty value as it is', async () => {
    const { service, stored } = await deployment({ ...good, verify_token: 'verify', note: 'kept' });
    await set(service, { access_token: '', verify_token: 'new-verify-token' });
    expect(await stored()).toEqual({ ...good, verify_token: 'new-verify-token', note: 'kept' });
  });

  it('asks a person for each value without showing it', async () => {
    const { service, stored } = await deployment();
    const questions: string[] = [];
    const replies = [accessToken, appSecret, ''];
    const source = {
      isInteractive: true,
      async askSecret(question: string) {
        questions.push(question);
        return replies.shift() ?? '';
      },
      readInput: () => Promise.reject(new Error('There is a terminal')),
    };
    await setCredentials(service, undefined, {}, source);
    expect(questions.map((question) => question.split(' (')[0])).toEqual([
      'Access token',
      'App secret',
      'Verify token',
    ]);
    expect(await stored()).toMatchObject(good);
  });

  it.each<[string, object]>([
    ['a token that the platform rejects', { ...good, access_token: 'EAAwrong' }],
    ['an app secret of another app', { ...good, app_secret: 'another' }],
    ['only an app secret, while there is no token', { app_secret: appSecret }],
  ])('stores nothing of %s, unless it is told not to check', async (_, values) => {
    const { service, stored } = await deployment();
    const error: Error = await set(service, values).then(Object, (thrown) => thrown);
    expect(error).toBeInstanceOf(Rejection);
    expect(error.message).toContain('--unchecked');
    expect(error.message).not.toMatch(/EAAwrong|another\b/);
    expect(await stored()).toMatchObject({ access_token: '', app_secret: '' });
    await set(service, values, { unchecked: true });
    expect(await stored()).toMatchObject(values);
  });

  it.each([
    '',
    'EAAcanary',
    '{"access_token":',
    '{"token":"EAAcanary"}',
    '{"access_token":7}',
    '{"access_token":"EAA canary"}',
  ])('rejects the input %j without quoting a value', async (input) => {
    const { service } = await deployment();
    const error: Error = await set(service, input).then(Object, (thrown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).not.toContain('canary');
  });

  it('keeps the former app secret beside a new one until it is dropped', async () => {
    const { service, stored } = await deployment({ access_token: accessToken, app_secret: 'former' });
    const { note } = await set(service, { app_secret: appSecret });
    expect((await stored()).app_secret).toEqual([appSecret, 'former']);
    expect(note).toMatch(/still accepted.*\.\/messaging upstream set --drop-former$/);
    await set(service, { access_token: accessToken });
    expect((await stored()).app_secret).toEqual([appSecret, 'former']);
    await set(service, '', { dropFormer: true });
    expect((await stored()).app_secret).toBe(appSecret);
  });

  it('makes a verify token when asked, and shows it only when asked', async () => {
    const { service, stored } = await deployment({ ...good, verify_token: 'verify' });
    const hidden = await set(service, '', { generateVerifyToken: true });
    const { verify_token } = await stored();
    expect(verify_token).toMatch(/^[\w-]{32}$/);
    const shown = JSON.stringify([hidden, await json(service, 'upstream', 'show')]);
    expect(shown).not.toContain(verify_token);
    const { value } = await set(service, '', { generateVerifyToken: true, showVerifyToken: true });
    expect(value).toMatchObject({ new_verify_token: (await stored()).verify_token });
  });

  it('makes a verify token without an access token', async () => {
    const { service, stored } = await deployment({ access_token: '', app_secret: '', verify_token: '' });
    await set(service, '', { generateVerifyToken: true });
    expect((await stored()).verify_token).toMatch(/^[\w-]{32}$/);
  });

  it('asks for no verify token when it makes one', async () => {
    const { service } = await deployment({ ...good, verify_token: '' });
    const questions: string[] = [];
    const source = {
      isInteractive: true,
      async askSecret(question: string) {
        questions.push(question);
        return '';
      },
      readInput: async () => '',
    };
    await setCredentials(service, undefined, { generateVerifyToken: true }, source);
    expect(questions.map((question) => question.split(' (')[0])).toEqual(['Access token', 'App secret']);
  });

  it('does not overwrite what somebody else stored meanwhile', async () => {
    const { service, stored } = await deployment({ ...good, verify_token: 'verify' });
    const source = {
      isInteractive: false,
      askSecret: async () => '',
      async readInput() {
        await set(service, { verify_token: 'theirs' });
        return '{"verify_token":"ours"}';
      },
    };
    await expect(setCredentials(service, undefined, {}, source)).rejects.toThrow('Somebody else changed');
    expect((await stored()).verify_token).toBe('theirs');
  });
});

describe('credentials of a workspace', () => {
  it('have a secret of their own, a verify token by which it is found, and a mark at the workspace', async () => {
    const { service, stored } = await deployment();
    const workspace = await newWorkspace(service);
    const { value } = await set(service, good, { showVerifyToken: true }, workspace);
    const own = await stored(`credentials/${workspace.id}`);
    expect(own).toEqual({ ...good, verify_token: expect.stringMatching(/^[\w-]{32}$/) });
    expect(value).toMatchObject({ new_verify_token: own.verify_token });
    expect(await service.verifyTokens.find(hashToken(own.verify_token))).toBe(workspace.id);
    expect(await service.workspaces.get(workspace.id)).toMatchObject({ own_credentials: true });
    expect(await service.upstream({ id: workspace.id, own_credentials: true }).credentials()).toMatchObject(good);
    expect((await stored()).access_token).toBe('');

    const shown = await json(service, 'upstream', 'show');
    expect(shown.workspaces_with_their_own).toContainEqual({ id: workspace.id, name: 'Acme', waba_id: wabaId });
    expect(await json(service, 'upstream', 'show', '--workspace', workspace.id)).toEqual({
      workspace: workspace.id,
      secret: expect.stringContaining(`credentials/${workspace.id}`),
      access_token: expect.stringMatching(/^sha256 [0-9a-f]{8}…$/),
      app_secret: expect.stringMatching(/^sha256 [0-9a-f]{8}…$/),
      former_app_secrets: 0,
      verify_token: true,
    });
  });

  it('must name the business account of the workspace', async () => {
    const { service } = await deployment();
    const workspace = await newWorkspace(service, '999');
    await expect(set(service, good, {}, workspace)).rejects.toThrow('999');
  });

  it('replace a verify token by another, and that of another workspace by none', async () => {
    const { service } = await deployment();
    const [first, second] = [await newWorkspace(service), await newWorkspace(service)];
    await set(service, { ...good, verify_token: `one-${first.id}` }, {}, first);
    await set(service, { verify_token: `two-${first.id}` }, {}, first);
    expect(await service.verifyTokens.find(hashToken(`one-${first.id}`))).toBeUndefined();
    expect(await service.verifyTokens.find(hashToken(`two-${first.id}`))).toBe(first.id);
    const taken = set(service, { ...good, verify_token: `two-${first.id}` }, {}, second);
    await expect(taken).rejects.toThrow('Another workspace');
    expect(await service.workspaces.get(second.id)).not.toHaveProperty('own_credentials');
  });

  it("keep the deployment's app secret beside the first own one if the workspace has numbers", async () => {
    const { service, stored } = await deployment({ access_token: accessToken, app_secret: 'shared' });
    const [used, unused] = [await newWorkspace(service), await newWorkspace(service)];
    await addNumber(service, used.id);
    await set(service, good, {}, used);
    await set(service, good, {}, unused);
    expect((await stored(`credentials/${used.id}`)).app_secret).toEqual([appSecret, 'shared']);
    expect((await stored(`credentials/${unused.id}`)).app_secret).toBe(appSecret);
    await set(service, '', { dropFormer: true }, used);
    expect((await stored(`credentials/${used.id}`)).app_secret).toBe(appSecret);
  });

  it("begin with the deployment's app secret as a former one also if they were only an access token", async () => {
    const { service, stored } = await deployment({ access_token: 'unused', app_secret: 'shared' });
    const workspace = await newWorkspace(service);
    await addNumber(service, workspace.id);
    await set(service, { access_token: accessToken }, { unchecked: true }, workspace);
    await set(service, good, {}, workspace);
    expect((await stored(`credentials/${workspace.id}`)).app_secret).toEqual([appSecret, 'shared']);
  });

  it('may be only an access token; the app secret is then that of the deployment', async () => {
    const { service, stored } = await deployment({ access_token: 'unused', app_secret: appSecret });
    const workspace = await newWorkspace(service);
    await set(service, { access_token: accessToken }, {}, workspace);
    expect(await stored(`credentials/${workspace.id}`)).toMatchObject({ access_token: accessToken, app_secret: '' });
  });

  it('are removed with their secret, verify token and mark, and can be set again', async () => {
    const { service, stored } = await deployment();
    const workspace = await newWorkspace(service);
    await set(service, { ...good, verify_token: `v-${workspace.id}` }, {}, workspace);
    const words = ['upstream', 'remove', '--workspace', workspace.id];
    expect((await runCommand(service, ...words, '--dry-run')).value).toEqual({
      access_tokens: 1,
      app_secrets: 1,
      verify_tokens: 1,
    });
    await expect(runCommand(service, 'workspace', 'delete', workspace.id)).rejects.toThrow(
      `./messaging upstream remove --workspace ${workspace.id}`,
    );
    await runCommand(service, ...words);
    expect(await service.workspaces.get(workspace.id)).not.toHaveProperty('own_credentials');
    expect(await service.verifyTokens.find(hashToken(`v-${workspace.id}`))).toBeUndefined();
    await expect(stored(`credentials/${workspace.id}`)).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(runCommand(service, ...words)).rejects.toThrow('no credentials of its own');
    await set(service, good, {}, workspace);
    expect(await service.workspaces.get(workspace.id)).toMatchObject({ own_credentials: true });
  });
});

describe('malformed credentials of a workspace', () => {
  /** A workspace with a number and such credentials. */
  async function malformed() {
    const { service, stored, folder } = await deployment({ access_token: accessToken, app_secret: 'shared' });
    const workspace = await newWorkspace(service);
    const number = await addNumber(service, workspace.id);
    const Name = `${folder}/credentials/${workspace.id}`;
    await client.send(new CreateSecretCommand({ Name, SecretString: '{"access_token":5}' }));
    await service.workspaces.setOwnCredentials(workspace.id, true);
    const message = `The secret ${Name} is not {"access_token": "…", …}. To store the credentials anew: ./messaging upstream set --workspace ${workspace.id}`;
    return { service, stored: () => stored(`credentials/${workspace.id}`), workspace, number, message };
  }

  it('are an error of the commands that need them, which says how to repair them and is not logged besides', async () => {
    const logged = captureLog();
    const { service, workspace, number, message } = await malformed();
    await expect(runCommand(service, 'upstream', 'show', '--workspace', workspace.id)).rejects.toThrow(message);
    await expect(runCommand(service, 'key', 'register', number)).rejects.toThrow(message);
    expect(await runCommand({ ...service, baseUrl: 'https://api.example.com' }, 'connect', number)).toMatchObject({
      value: { steps: [{ step: 'credentials', state: 'failed', text: message }] },
    });
    const create = ['--workspace', workspace.id, '--phone-number-id', '1', '--display-phone-number', '+1'];
    expect((await runCommand(service, 'number', 'create', ...create)).note).toContain(message);
    expect(logged).toEqual([]);
  });

  it("are replaced without the deployment's app secret, which nobody has used for the workspace", async () => {
    const { service, stored, workspace } = await malformed();
    await set(service, good, {}, workspace);
    expect(await stored()).toMatchObject(good);
    expect((await runCommand(service, 'upstream', 'show', '--workspace', workspace.id)).note).toContain(
      'What it lacks',
    );
  });

  it('can be missing altogether, which is not the same as using those of the deployment', async () => {
    const { service } = await deployment({ access_token: accessToken, app_secret: 'shared' });
    const workspace = await newWorkspace(service);
    await service.workspaces.setOwnCredentials(workspace.id, true);
    const { note } = await runCommand(service, 'upstream', 'show', '--workspace', workspace.id);
    expect(note).toBe(
      `The secret does not exist, and nothing takes its place. To store the credentials: ./messaging upstream set --workspace ${workspace.id}`,
    );
  });
});

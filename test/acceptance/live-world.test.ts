import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createFlow } from '#functions/flows/contracts.ts';
import { operations } from '#functions/operations.ts';
import { createPreview } from '#functions/previews/contracts.ts';
import { seededTokens } from '#local/seed.ts';
import { startLiveWorld, type World } from '#local/world.ts';
import type { WorldAddresses } from '#local/world-description.ts';
import { hashToken, withChecksum } from '#shared/accounts/token.ts';
import { tokenStore, userStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { newFlow } from '#support/flows/flow-service.ts';
import { apiClient } from '#support/http/client.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { runProgram } from '#support/run-program.ts';
import { copyBuild } from '#support/worlds/copied-build.ts';
import { accessToken, appSecret, phoneNumberId, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';
import { newDataDir } from '#support/worlds/world.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';

const root = join(import.meta.dirname, '../..');
const host = 'tunnel.example.com';
const proofPath = '/1f0e7c1c';
const verifyToken = 'chosen by the operator';
const token = withChecksum('LiveOwnerLiveOwnerLiveOwnerLive0');
const user = '0b000000-0000-4000-8000-000000000001';
const workspace = '0b000000-0000-4000-8000-000000000002';
const number = '0b000000-0000-4000-8000-000000000003';

type LiveWorld = World<WorldAddresses>;

let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
let receiver: TestServer;
let dataDir: string;
let world: LiveWorld;
const errors: Error[] = [];

const startTunnelled = (): Promise<LiveWorld> =>
  startLiveWorld({
    ...worldDefaults,
    templateFile: join(inject('assemblyDirectory'), 'messaging-dev.template.json'),
    dataDir,
    dynamoDbUrl: process.env.AWS_ENDPOINT_URL_DYNAMODB,
    upstreamBaseUrl: upstream.url,
    publicUrl: `https://${host}`,
    publicPort: 0,
    proofPath,
    onLog: () => undefined,
    onError: (error) => errors.push(error),
  });

beforeAll(async () => {
  [upstream, receiver, dataDir] = await Promise.all([
    startTestUpstream(),
    startHttpServer((_, response) => response.writeHead(200).end()),
    newDataDir(),
  ]);
  world = await startTunnelled();
  await storeCredentials();
  await createEverything();
});
afterAll(async () => {
  await world.close();
  await Promise.all([upstream.close(), receiver.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function storeCredentials(): Promise<void> {
  const { secrets_manager: endpoint, region, upstream_secret: SecretId } = world.description.aws;
  const client = new SecretsManagerClient({ endpoint, region, credentials: world.administrator });
  const SecretString = JSON.stringify({ access_token: accessToken, app_secret: appSecret, verify_token: verifyToken });
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  client.destroy();
}

/** What the operator creates with the command line. */
async function createEverything(): Promise<void> {
  const { table } = world;
  const created_at = Date.now();
  await userStore(table).create({ id: user, name: 'Ana', created_at });
  await tokenStore(table).create({ hash: hashToken(token), user, label: 'test', created_at });
  await workspaceStore(table).create({ id: workspace, name: 'Live', waba_id: wabaId, created_at });
  await workspaceStore(table).putMember({ workspace, user, role: 'owner' });
  const display_phone_number = '+1 555-078-3881';
  const settings = { phone_number_id: phoneNumberId, display_phone_number, active: true, calling_enabled: true };
  await numberStore(table).create({ id: number, workspace, ...settings, created_at });
  await targetStore(table).setUrls(number, { webhook: `${receiver.url}/webhook` });
}

interface Answer {
  status: number | undefined;
  body: string;
}

/** Sends a request as the tunnel does: to the port of the public routes, under the public name. */
function throughTunnel(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const port = new URL(String(world.description.tunnel_url)).port;
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: { host, ...headers } }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode, body: text }));
  });
  request.on('error', reject).end(body);
  return promise;
}

const notFound = { status: 404, body: '{"message":"Not Found"}' };

const client = () => apiClient(world.description.base_url, { token, params: { workspace, number } });

describe('the live world', () => {
  it('knows no token, user, workspace or number of the simulated world', async () => {
    const list = (bearer: string) =>
      fetch(`${world.description.base_url}/v2/workspaces`, { headers: { authorization: `Bearer ${bearer}` } });
    for (const seeded of Object.values(seededTokens)) expect((await list(seeded)).status).toBe(401);
    expect(await (await list(token)).json()).toMatchObject({ data: [{ id: workspace, name: 'Live' }] });
    expect((await workspaceStore(world.table).list()).length).toBe(1);
  });

  it('lets the platform complete the handshake and send events, which reach a webhook on this machine', async () => {
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': '17',
      'hub.verify_token': verifyToken,
    });
    expect(await throughTunnel('GET', `/v2/messaging/events?${query}`)).toEqual({ status: 200, body: '17' });

    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
      messages: [
        { from: '5511988887777', id: 'wamid.1', timestamp: '1767225600', type: 'text', text: { body: 'Olá' } },
      ],
    };
    const entry = [{ id: wabaId, changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const signature = createHmac('sha256', appSecret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    expect((await throughTunnel('POST', '/v2/messaging/events', { headers, body })).status).toBe(200);
    await expect.poll(() => receiver.requests.map((one) => one.body)).toEqual([expect.stringContaining('Olá')]);
  });

  it('gives the platform and contacts the public address, and callers the local one', async () => {
    const { call, succeed } = client();
    const body = newFlow({ endpoint_url: `${receiver.url}/flow`, endpoint_encrypted: false });
    const reply = await call(createFlow, { body });
    const flow = reply.body as { id: string };
    expect(reply.headers.get('location')).toBe(
      `${world.description.base_url}/v2/workspaces/${workspace}/flows/${flow.id}`,
    );
    const { data } = (await upstream.control('GET', '/flows')).json;
    expect(data).toMatchObject([{ endpoint_uri: `https://${host}/v2/flows/${flow.id}/endpoint` }]);

    const { url } = await succeed(createPreview, { params: { flow: flow.id }, body: { number, valid_until: 1 } });
    expect(url).toMatch(new RegExp(`^https://${host}/v2/flows/preview/`));
    const page = await throughTunnel('GET', new URL(url).pathname);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<html') });
    const endpoint = await throughTunnel('POST', `/v2/flows/${flow.id}/endpoint`, { body: '{}' });
    expect(endpoint).not.toEqual(notFound);
    const exchange = `${new URL(url).pathname}/exchange`;
    expect((await throughTunnel('POST', exchange, { body: '{}' })).body).not.toBe(notFound.body);
  });

  it('hides every other route from the internet, whatever the credentials', async () => {
    const open = ['/v2/messaging/events', '/v2/flows/'];
    const closed = operations.filter(({ path }) => !open.some((prefix) => path.startsWith(prefix)));
    expect(closed.length).toBeGreaterThan(40);
    for (const { method, path } of closed) {
      const filled = path.replaceAll(
        /\{[^}]+\}/g,
        (name) => ({ '{workspace}': workspace, '{number}': number })[name] ?? '1',
      );
      const answer = await throughTunnel(method, filled, { headers: { authorization: `Bearer ${token}` } });
      expect({ method, path, ...answer }).toEqual({ method, path, ...notFound });
    }
    expect(await throughTunnel('GET', '/')).toEqual(notFound);
    expect(await throughTunnel('GET', '/simulator/requests')).toEqual(notFound);
    expect(await throughTunnel('DELETE', '/v2/messaging/events')).toEqual(notFound);
    const local = { authorization: `Bearer ${token}`, host: 'localhost', 'x-forwarded-for': '127.0.0.1' };
    expect(await throughTunnel('GET', '/v2/workspaces', { headers: local })).toEqual(notFound);
    expect(errors).toEqual([]);
  });
});

describe('the commands with --live', () => {
  vi.setConfig({ testTimeout: 120_000 });

  it('store credentials, connect a number, find all well, and show what arrives', async () => {
    const variables = { LOCAL_DATA_DIR: await describedWorld(), TOKEN: token };
    const admin = (words: readonly string[], input = '') => execute([...words, '--live'], variables, input);

    const credentials = JSON.stringify({ access_token: accessToken, app_secret: appSecret });
    const stored = await admin(['upstream', 'set'], credentials);
    expect(stored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Stored.') });
    expect(stored.stdout + stored.stderr).not.toMatch(new RegExp(`${accessToken}|${appSecret}`));

    const connected = await admin(['connect', number, '--callback', 'app']);
    expect(connected).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nConnected\.\s*$/) });

    const checked = await admin(['doctor', number]);
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^All is well/) });

    const former = await urlOf(number);
    const child = spawn(process.execPath, [join(root, 'messaging.js'), 'receive', '--live', number], {
      env: environment(variables),
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed, { timeout: 60_000 }).toContain(`receiving the notifications of number ${number}`);
    const event = { type: 'text', phone_number_id: phoneNumberId, contact: { wa_id: '15550100999' } };
    await upstream.control('POST', '/events', { events: [{ ...event, text: { body: 'Does it arrive?' } }] });
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('Does it arrive?');
    expect(printed).toContain('the signature is right');
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('restoring the former webhook');
    // One Ctrl-C arrives twice: npm passes on what the terminal has sent to all.
    child.kill('SIGINT');
    await exited;
    expect(await urlOf(number)).toBe(former);
  });
});

const urlOf = async (number: string) => (await targetStore(world.table).read(number))?.targets.webhook.url;

/**
 * A folder that describes this world as `./messaging start --live` does. Its public address is the local one, because the
 * simulated platform reaches no tunnel.
 */
async function describedWorld(): Promise<string> {
  const folder = await newHome();
  const { description, administrator } = world;
  await writeFile(join(folder, 'world.json'), JSON.stringify({ ...description, public_url: description.base_url }));
  await mkdir(join(folder, 'data'));
  const { accessKeyId, secretAccessKey } = administrator;
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  await writeFile(join(folder, 'data', 'aws-credentials'), lines.join('\n'));
  return folder;
}

describe('./messaging start --live', () => {
  vi.setConfig({ testTimeout: 300_000 });

  it('without PUBLIC_URL says how to start a tunnel, and creates nothing', async () => {
    const folder = join(await newHome(), 'live');
    const { exitCode, stderr } = await execute(['start', '--live'], { LOCAL_DATA_DIR: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('cloudflared tunnel --url') });
    expect(() => statSync(folder)).toThrow('ENOENT');
  });

  it('runs on a folder of its own, says what to type, and what is wrong with the tunnel', async () => {
    const home = await newHome();
    const folder = join(home, 'messaging-service/live');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyBuild(join(folder, 'build'));
    const child = spawn(process.execPath, [join(root, 'messaging.js'), 'start', '--live'], {
      env: environment({ XDG_DATA_HOME: home, PUBLIC_URL: 'https://tunnel.invalid', UPSTREAM_BASE_URL: upstream.url }),
    });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    await expect.poll(() => output).toContain('not reached: https://tunnel.invalid does not respond');
    const commands = [...output.matchAll(/\.\/messaging (\w+ ?\w*)/g)].map(([, command]) => command);
    const order = ['upstream set', 'user create', 'workspace create', 'number create', 'token create'];
    expect(commands).toEqual([...order, 'connect NUMBER', 'doctor ']);
    expect(output).toMatch(/^live https:\/\/tunnel.invalid$/m);
    expect(output).toMatch(/^starting the functions and the gateway$/m);
    expect(output).not.toContain('starting the WhatsApp platform');

    const description = readFileSync(join(folder, 'world.json'), 'utf8');
    expect(Object.keys(JSON.parse(description))).toEqual([
      'base_url',
      'public_url',
      'tunnel_url',
      'code_version',
      'upstream_url',
      'aws',
      'console_url',
    ]);
    const page = await (await fetch(JSON.parse(description).console_url)).text();
    expect(page).toContain('This world is live');
    expect(page).toContain('https://tunnel.invalid/v2/messaging/events');
    expect(page).toContain('Nothing has been delivered yet.');
    expect(page).not.toMatch(/msgs_/);

    const created = await execute(['workspace', 'create', '--name', 'Live', '--live'], {
      XDG_DATA_HOME: home,
    });
    expect(created).toMatchObject({ exitCode: 0, stderr: '' });
    const listed = await execute(['workspace', 'list', '--live'], { XDG_DATA_HOME: home });
    expect(listed.stdout).toContain('Live');
  });
});

async function newHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'live-world-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

const environment = (variables: Record<string, string>) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PORT: '0',
  PUBLIC_PORT: '0',
  CONSOLE_PORT: '0',
  AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB,
  JAVA_HOME: process.env.JAVA_HOME,
  ...variables,
});

const execute = (words: readonly string[], variables: Record<string, string>, input = '') =>
  runProgram(words, environment(variables), { input });

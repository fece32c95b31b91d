import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCredentials } from '#cli/credentials/set-credentials.ts';
import { openService, openUpstream, type Service } from '#cli/service.ts';
import { seededCredentials, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { hashToken } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { parseJson } from '#shared/base/json.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { createNumber, postEvent, soon, textMessage } from '#support/worlds/delivery-world.ts';
import { newDataDir, startTestWorld, type TestWorld } from '#support/worlds/world.ts';

/** Two Meta apps: that of the deployment, and the own one of a workspace. Both send to one callback address. */
const shared = {
  workspace: seededWorkspaces[0] as Workspace,
  secret: seededCredentials.app_secret,
  token: seededCredentials.access_token,
};
const own = {
  workspace: { id: newId(), name: 'With its own app', waba_id: '200000000000009', created_at: 0 } as Workspace,
  secret: 'secret-of-its-own-app',
  token: 'EAAown',
};
type App = typeof own;

let dataDir: string;
let world: TestWorld;
let graph: TestServer;
let receiver: TestServer;
let numbers: Record<'shared' | 'own', Awaited<ReturnType<typeof createNumber>>>;
let verifyToken: string;

const start = () => startTestWorld({ dataDir, upstreamBaseUrl: graph.url, sweepSeconds: 1 });

function service(): Service {
  const { aws } = world.description;
  const connection = { endpoint: aws.secrets_manager, region: aws.region, credentials: world.administrator };
  const place = { secretId: aws.upstream_secret, baseUrl: graph.url, graphVersion: 'v25.0', connection };
  return openService({ table: world.table, openUpstream: (workspace) => openUpstream(place, workspace) });
}

async function set(values: object, workspace?: Workspace) {
  const readInput = async () => JSON.stringify(values);
  const source = { isInteractive: false, askSecret: async () => '', readInput };
  return setCredentials(service(), workspace, { unchecked: true, showVerifyToken: true }, source);
}

beforeAll(async () => {
  dataDir = await newDataDir();
  receiver = await startHttpServer((_, response) => response.writeHead(200).end());
  graph = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.sent' }] }));
  });
  world = await start();
  const { workspaces } = service();
  await workspaces.create(own.workspace);
  const owner = await tokenStore(world.table).get(hashToken(seededTokens.owner));
  await workspaces.putMember({ workspace: own.workspace.id, user: String(owner?.user), role: 'owner' });
  const { value } = await set({ access_token: own.token, app_secret: own.secret }, own.workspace);
  verifyToken = String(Reflect.get(value, 'new_verify_token'));
  const url = `${receiver.url}/hook`;
  numbers = {
    shared: await createNumber(world.table, { webhook: url }),
    own: await createNumber(world.table, { webhook: url }, { workspace: own.workspace.id }),
  };
});
afterAll(async () => {
  await world?.close();
  await Promise.all([graph.close(), receiver.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

/** A part of a webhook body: a text to a number, in the name of a business account. */
function entry(account: App, number: { phone_number_id: string }, text: string) {
  const metadata = { display_phone_number: '15550000000', phone_number_id: number.phone_number_id };
  const value = { messaging_product: 'whatsapp', metadata, messages: [textMessage(text)] };
  return { id: account.workspace.waba_id, changes: [{ field: 'messages', value }] };
}

const post = (app: { secret: string }, ...entries: object[]) =>
  postEvent(world.description.base_url, { object: 'whatsapp_business_account', entry: entries }, app.secret);

const received = () => receiver.requests.map(({ body }) => parseJson(body)).map((body) => textIn(body));
const textIn = (body: unknown) => /"body":"([^"]*)"/.exec(JSON.stringify(body))?.[1];

async function handshake(token: string) {
  const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '42' });
  const response = await fetch(`${world.description.base_url}/v2/messaging/events?${query}`);
  return [response.status, await response.text()];
}

async function sendFrom(number: { id: string }): Promise<string | undefined> {
  graph.requests.length = 0;
  const response = await fetch(`${world.description.base_url}/v2/messaging/numbers/${number.id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seededTokens.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '15550109999', type: 'text', text: { body: 'Hello' } }),
  });
  expect(response.status).toBe(200);
  return graph.requests.at(-1)?.headers.authorization;
}

describe('two apps on one callback address', () => {
  it('both deliver to the numbers of their workspaces', async () => {
    expect(await post(shared, entry(shared, numbers.shared, 'for the shared app'))).toBe(200);
    expect(await post(own, entry(own, numbers.own, 'for the own app'))).toBe(200);
    await expect.poll(() => received().sort(), soon).toEqual(['for the own app', 'for the shared app']);
  });

  it('cannot send events for the numbers of the other, in whatever account’s name', async () => {
    receiver.requests.length = 0;
    for (const account of [shared, own]) {
      expect(await post(shared, entry(account, numbers.own, 'injected'))).toBe(200);
    }
    expect(await post(own, entry(shared, numbers.shared, 'injected'))).toBe(401);
    const mixed = [entry(own, numbers.shared, 'injected'), entry(shared, numbers.shared, 'injected')];
    expect(await post(own, ...mixed, entry(own, numbers.own, 'genuine'))).toBe(200);
    await expect.poll(received, soon).toEqual(['genuine']);
    expect(await post(shared, entry(shared, numbers.shared, 'last'))).toBe(200);
    await expect.poll(received, soon).toEqual(['genuine', 'last']);
    const dropped = world.logs.filter((line) => line.includes('"event.wrong-app"'));
    expect(dropped.length).toBe(3);
    expect(world.logs.join()).not.toMatch(/secret-of-its-own-app|EAAown|local-app-secret/);
  });

  it('cannot leave notes of unknown numbers for the business account of the other', async () => {
    const [ofOwn, ofShared] = [{ phone_number_id: '777' }, { phone_number_id: '778' }];
    expect(await post(own, entry(own, ofOwn, 'unknown'), entry(shared, ofShared, 'injected'))).toBe(200);
    const notes = await service().eventNotes.unknownNumbers();
    expect(notes).toMatchObject([{ phone_number_id: '777', waba_id: own.workspace.waba_id }]);
  });

  it('are told from strangers', async () => {
    expect(await post({ secret: 'guessed' }, entry(own, numbers.own, 'forged'))).toBe(401);
  });

  it('have verify tokens of their own', async () => {
    expect(await handshake(verifyToken)).toEqual([200, '42']);
    expect(await handshake(seededCredentials.verify_token)).toEqual([200, '42']);
    expect((await handshake('guessed'))[0]).toBe(403);
  });

  it('call the platform with tokens of their own', async () => {
    expect(await sendFrom(numbers.shared)).toBe(`Bearer ${shared.token}`);
    expect(await sendFrom(numbers.own)).toBe(`Bearer ${own.token}`);
  });

  it('lose no event while the app secret of one is rotated', async () => {
    receiver.requests.length = 0;
    await set({ app_secret: 'next-secret' }, own.workspace);
    const first = entry(own, numbers.own, 'new secret');
    // Like the platform, repeats an event that is rejected: the service reads a secret again after five seconds at least.
    await expect.poll(() => post({ secret: 'next-secret' }, first), soon).toBe(200);
    expect(await post(own, entry(own, numbers.own, 'former secret'))).toBe(200);
    await expect.poll(() => received().sort(), soon).toEqual(['former secret', 'new secret']);
  });

  it('are still there after a restart of the local world', async () => {
    await set({ access_token: 'EAAset' });
    await world.close();
    world = await start();
    expect(await sendFrom(numbers.shared)).toBe('Bearer EAAset');
    expect(await sendFrom(numbers.own)).toBe(`Bearer ${own.token}`);
    expect(await handshake(verifyToken)).toEqual([200, '42']);
  });
});

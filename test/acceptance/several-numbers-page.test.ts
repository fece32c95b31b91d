import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedApp } from '#local/graph/core/app.ts';
import { seededCredentials } from '#local/seed.ts';
import { userStore } from '#shared/adapters/dynamodb/accounts/users.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { newId } from '#shared/base/ids.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { PageValues } from '../../support/page-commands.ts';
import { expectOutputs, runInShell, startPageWorld } from '../../support/worlds/page-world.ts';
import { startTestUpstream } from '../../support/worlds/simulated-graph.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/several-numbers.md'), 'utf8');

/** The address of the deployment on the page. */
const apiUrl = 'https://api.example.com';

/** The app of the deployment, with two business accounts, and that of a customer. */
const ours = { access_token: seededCredentials.access_token, app_secret: seededCredentials.app_secret };
const theirs = { access_token: 'EAAcustomer', app_secret: 'secret-of-the-customer' };
const theirApp = { id: '500000000000007', name: 'Customer app' };

const account = (waba_id: string, ...ids: string[]) => ({
  waba_id,
  phone_numbers: ids.map((id) => ({
    id,
    display_phone_number: `+1 555-078-388${Number(id.at(-1)) - 1}`,
    calling_enabled: true,
  })),
});
const accounts = {
  ours: [
    account('102290129340398', '106540352242922', '106540352242923'),
    account('102290129340399', '106540352242924'),
  ],
  theirs: [account('102290129340400', '106540352242925')],
};

const startPlatform = async (values: typeof theirs, list: (typeof accounts)['ours']) => {
  const { access_token: accessToken, app_secret: appSecret } = values;
  const platform = await startTestUpstream({ accounts: list, accessToken, appSecret });
  for (const { waba_id } of list) {
    await fetch(`${platform.url}/${waba_id}/subscribed_apps?access_token=${accessToken}`, { method: 'DELETE' });
  }
  return platform;
};

let platforms: Record<keyof typeof accounts, Awaited<ReturnType<typeof startPlatform>>>;
let graph: Awaited<ReturnType<typeof startGraph>>;
let page: Awaited<ReturnType<typeof startPageWorld>>;
let values: PageValues;

/** A simulated platform has one app, so the customer's is on another one, behind the same address. */
async function startGraph() {
  const asTheirs = (value: string) =>
    value.replaceAll(simulatedApp.id, theirApp.id).replaceAll(simulatedApp.name, theirApp.name);
  const asSimulated = (value: string) => value.replaceAll(theirApp.id, simulatedApp.id);
  const server = await startHttpServer(async ({ method = '', url = '', headers }, response) => {
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const body = server.requests.find((one) => one.headers === headers)?.body ?? '';
    const isTheirs = [theirApp.id, theirs.access_token].some((one) => `${url} ${authorization}`.includes(one));
    const here = isTheirs ? asSimulated : String;
    const {
      status,
      usage,
      text: answer,
    } = await ask(`${platforms[isTheirs ? 'theirs' : 'ours'].url}${here(url)}`, {
      method,
      headers: { authorization: here(authorization), 'content-type': type },
      ...(body !== '' && { body: here(body) }),
    });
    response
      .writeHead(status, { ...usage, 'content-type': 'application/json' })
      .end(isTheirs ? asTheirs(answer) : answer);
  });
  return server;
}

async function ask(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  const usage = [...response.headers].filter(([name]) => name.startsWith('x-'));
  return { status: response.status, usage: Object.fromEntries(usage), text: await response.text() };
}

/** A deployment with one number, which is connected. */
beforeAll(async () => {
  const [own, customers] = await Promise.all([
    startPlatform(ours, accounts.ours),
    startPlatform(theirs, accounts.theirs),
  ]);
  platforms = { ours: own, theirs: customers };
  graph = await startGraph();
  page = await startPageWorld({ upstreamBaseUrl: graph.url, sweepSeconds: 1 });
  const { table } = page.world;
  const user = { id: newId(), name: 'Ana', created_at: Date.now() };
  const workspace = { id: newId(), name: 'Acme', waba_id: '102290129340398', created_at: Date.now() };
  const number = {
    ...{ id: newId(), workspace: workspace.id, phone_number_id: '106540352242922', created_at: Date.now() },
    ...{ display_phone_number: '+1 555-078-3881', active: true, calling_enabled: false },
  };
  await userStore(table).create(user);
  await workspaceStore(table).create(workspace);
  await numberStore(table).create(number);
  await run(`npm run admin -- connect ${number.id} --stage prod`);
  values = new PageValues({
    '0198a000-0000-7000-8000-000000000001': user.id,
    '0198a000-0000-7000-8000-000000000002': workspace.id,
  });
});
afterAll(async () => {
  await page.close();
  await Promise.all([graph, platforms.ours, platforms.theirs].map((one) => one.close()));
});

async function writeToNumber(displayPhoneNumber: string): Promise<void> {
  for (const [app, list] of Object.entries(accounts)) {
    const asked = list
      .flatMap(({ phone_numbers }) => phone_numbers)
      .find((one) => one.display_phone_number === displayPhoneNumber);
    const event = { type: 'text', phone_number_id: asked?.id, contact: { wa_id: '15550100999' } };
    if (asked) await platforms[app as keyof typeof accounts].control('POST', '/events', { events: [event] });
  }
}

async function run(command: string): Promise<string> {
  const { base_url } = page.world.description;
  const isRemoval = /register|delete/.test(command) && !command.includes('--dry-run');
  const here = `${command.replaceAll('--stage prod', '--local')}${isRemoval ? ' --yes' : ''}`;
  // The key of another deployment, which is what the page replaces.
  if (command.includes('key register')) await platforms.ours.control('PUT', '/setup/faults', { faults: ['other_key'] });
  const input = JSON.stringify(command.includes(' --workspace ') ? theirs : ours);
  const printed = await runInShell(page.folder, here, { input, writeToNumber });
  return printed
    .replaceAll('--local', '--stage prod')
    .replaceAll('messaging/dev/', 'messaging/prod/')
    .replaceAll(base_url, apiUrl);
}

describe('the page about several numbers', () => {
  it('has commands that add a number, an account and an app, with what they print', async () => {
    expect(await expectOutputs(text, values, run)).toBeGreaterThan(10);
  });
});

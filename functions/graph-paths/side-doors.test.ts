import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseGraphError } from '#shared/graph/graph-error.ts';
import { type GraphPath, graphPaths, type ObjectKind } from '#shared/graph-paths/graph-paths.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { accounts, phoneNumbers, startGraphPathsWorld, tokens } from '#support/worlds/graph-paths-world.ts';
import { accessToken, appSecret } from '#support/worlds/simulated-graph.ts';

const log = captureLog();

let ids: Record<ObjectKind, string>;
const world = forAllTests(() => startGraphPathsWorld());
beforeAll(async () => {
  ids = {
    number: phoneNumbers.alpha,
    account: accounts.alpha,
    flow: await world.newFlow(world.workspaces.alpha),
    template: await world.newTemplate(accounts.alpha),
    media: await world.newFile(phoneNumbers.alpha),
  };
});
afterEach(() => {
  world.reset();
});

const allRows = Object.values(graphPaths).flatMap((group) => Object.entries<GraphPath>(group));

/** Registrations concern this service alone: the platform is asked for nothing. */
const registrations = ['listRegistrations', 'subscribeApp', 'configureNumber'];
const rows = allRows.filter(([name]) => !registrations.includes(name));
const pathOf = ({ of, edge }: GraphPath) => `/${ids[of]}${edge === undefined ? '' : `/${edge}`}`;

const message = { to: '+15550100999', type: 'text', text: { body: 'Hi' } };
const template = { name: 'x', language: 'en_US', category: 'UTILITY', components: [] };

/** A request that each path accepts. */
function sending({ method, of, edge, query = [] }: GraphPath) {
  if (edge === 'media') {
    const head = ['--b', 'Content-Disposition: form-data; name="file"; filename="a.pdf"'];
    const body = [...head, 'Content-Type: application/pdf', '', '%PDF', '--b--', ''].join('\r\n');
    return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  }
  if (of === 'media') return { query: { phone_number_id: phoneNumbers.alpha } };
  if (edge === 'call_permissions') return { query: { user_wa_id: '15550100999' } };
  if (method === 'GET') return { query: query.includes('start') ? { start: '1', end: '2', granularity: 'DAILY' } : {} };
  const bodies: Record<string, object> = { messages: message, calls: { action: 'terminate', call_id: 'wacid.1' } };
  return method === 'POST' ? { body: bodies[edge ?? ''] ?? template } : {};
}

const secrets = [accessToken, appSecret, 'former-app-secret'];
const links = [
  `https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&hash=a`,
  `https://graph.facebook.com/v25.0/1/message_templates?access_token=${accessToken}&after=x`,
  `https:\\/\\/lookaside.fbsbx.com\\/whatsapp_business`,
  `https://l.example.com/?u=https%253A%252F%252Flookaside.fbsbx.com%252Fx`,
  `https://example.com/?access_token=somebody`,
  `//lookaside.fbsbx.com/x`,
];
const picture = 'https://pps.whatsapp.net/v/t61.24694-24/picture.jpg?ccb=11-4';

/** What no response may contain, in any writing. */
function expectClean(text: string) {
  const plain = decodeURIComponent(decodeURIComponent(text)).replaceAll('\\', '');
  for (const each of [...secrets, 'lookaside', 'graph.facebook', 'access_token=', world.upstream.url]) {
    expect(plain).not.toContain(each);
  }
}

const planted = {
  ...{
    success: true,
    messages: [{ id: 'wamid.1' }],
    contacts: [],
    picture,
    note: `token ${accessToken}!`,
    [appSecret]: 'a key',
  },
  id: '123',
  url: links[0],
  mime_type: 'image/png',
  sha256: appSecret,
  calls: [{ id: `wacid.${encodeURIComponent(accessToken)}` }],
  deep: [{ links, text: `Open ${links[0]} and ${links[1]}.` }],
  data: [{ id: phoneNumbers.alpha, links, secret: secrets }],
  paging: { cursors: { before: 'b', after: 'a' }, next: links[1], previous: links[1] },
};

describe.each(rows)('%s', (name, row) => {
  it('lets no secret and no link out that needs one', async () => {
    world.answer = ({ path, method }) => (isLookup(row, method, path) ? undefined : planted);
    const { status, text, headers } = await world.call(row.method, pathOf(row), sending(row));
    expect([name, status, text]).toEqual([name, 200, text]);
    expectClean(text + JSON.stringify(headers));
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it.each([400, 401, 403, 429, 500])('lets none out of an error with the status %s', async (status) => {
    world.answer = ({ path, method }) => {
      if (isLookup(row, method, path)) return undefined;
      const message = `Bad ${secrets.join(' ')} at ${links.join(' ')}`;
      const error = {
        message,
        code: status === 401 ? 190 : 131_009,
        error_data: { details: message },
        error_user_msg: message,
      };
      throw parseGraphError(status, { error }, new Headers({ 'www-authenticate': `OAuth ${accessToken}` }), 'message');
    };
    const { text, headers, status: answered } = await world.call(row.method, pathOf(row), sending(row));
    expect(answered).toBeGreaterThanOrEqual(400);
    expectClean(text + JSON.stringify(headers));
  });
});

/** What an operation of ours reads before it works, and what lists, figures and deletions then do. */
const callsOfOurs = { number: 2, media: 2, account: 1, flow: 1, template: 1 } as const;
const furtherCalls: Partial<Record<string, number>> = {
  ...{ deleteMedia: 1, listNumbers: 2, listFlows: 1, createTemplate: 2 },
  ...{ getPricingAnalytics: 2, getConversationAnalytics: 2, getCallAnalytics: 2 },
};

it.each(rows)('costs at most two calls of the table more than an operation of ours: %s', async (name, row) => {
  // So the templates of the account are remembered.
  await world.call('GET', `/${accounts.alpha}/message_templates`);
  world.answer = ({ method }) => (method === 'GET' ? undefined : planted);
  const { status } = await world.call(row.method, pathOf(row), row.of === 'media' ? {} : sending(row));
  expect(status).toBe(200);
  expect(world.awsCalls.length).toBeLessThanOrEqual(callsOfOurs[row.of] + (furtherCalls[name] ?? 0) + 2);
});

/** Whether the request only finds the object of a path. */
const isLookup = ({ of }: GraphPath, method: string, path: string) =>
  method === 'GET' && of === 'template' && path.endsWith('/message_templates');

it('words of the platform are not repeated as long as nothing is found', async () => {
  world.answer = () => {
    throw parseGraphError(500, { error: { message: secrets.join(), code: 2 } }, new Headers());
  };
  const { status, text } = await world.call('GET', `/${ids.media}`);
  expect(status).toBe(502);
  expectClean(text);
});

it('public pictures stay', async () => {
  world.answer = () => ({ data: [{ profile_picture_url: picture }] });
  const { json } = await world.call('GET', `/${phoneNumbers.alpha}/whatsapp_business_profile`);
  expect(json).toEqual({ data: [{ profile_picture_url: picture }] });
});

it('links to further pages lead here, without a token', async () => {
  for (let templates = 0; templates < 3; templates++) await world.newTemplate(accounts.alpha, `page_${templates}`);
  const query = { limit: '2', fields: 'name', access_token: tokens.owner };
  const first = await world.call('GET', `/v23.0/${accounts.alpha}/message_templates`, { query });
  const next = new URL(first.json.paging.next);
  expect(next.origin + next.pathname).toBe(
    `https://api.example.com/v2/graph/v23.0/${accounts.alpha}/message_templates`,
  );
  expect([...next.searchParams.keys()]).toEqual(['limit', 'fields', 'after']);
  const second = await world.call('GET', next.pathname.slice('/v2/graph'.length), {
    query: Object.fromEntries(next.searchParams),
  });
  expect(second.json.data).toHaveLength(2);
  expect(second.json.data).not.toEqual(first.json.data);
});

describe('a parameter', () => {
  it.each(['method', 'ids', 'batch', 'include_headers', 'input_token'])('%s is refused', async (name) => {
    for (const [, row] of rows) {
      const answer = await world.call(row.method, pathOf(row), { query: { [name]: 'delete' }, body: {} });
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 100 } } });
      expect(answer.json.error.message).toContain(name);
    }
  });

  it.each([
    'id,preview.invalidate(true)',
    'owner_business_info{id}',
    'message_templates.limit(500)',
    'access_token',
    'messages',
  ])('fields has no syntax and no other names: %s', async (fields) => {
    for (const path of [`/${phoneNumbers.alpha}`, `/${accounts.alpha}`, `/${ids.flow}`, `/${ids.template}`]) {
      expect(await world.call('GET', path, { query: { fields } })).toMatchObject({ status: 400 });
      expect(JSON.stringify(world.asked)).not.toContain(fields);
    }
  });

  it('summary has no syntax either', async () => {
    const query = { summary: 'total_count.limit(1)' };
    expect(await world.call('GET', `/${accounts.alpha}/message_templates`, { query })).toMatchObject({ status: 400 });
  });

  it('leaves out fields that are the operator’s, as clients ask for them in passing', async () => {
    const fields = ['id', 'certificate', 'display_phone_number', 'webhook_configuration'];
    for (const list of [fields.join(','), JSON.stringify(fields)]) {
      const { json } = await world.call('GET', `/${phoneNumbers.alpha}`, { query: { fields: list } });
      expect(json).toEqual({ id: phoneNumbers.alpha, display_phone_number: '+1 555-010-0101' });
    }
  });

  it('is not repeated at full length', async () => {
    const answer = await world.call('GET', `/${phoneNumbers.alpha}`, { query: { ['x'.repeat(5_000)]: '1' } });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(5_000);
  });

  it('goes no further if it is empty, a token, a proof, or in a body', async () => {
    const query = { access_token: tokens.owner, appsecret_proof: 'proof', summary: 'true', offset: '0', fields: '' };
    await world.call('GET', `/${phoneNumbers.alpha}`, { query });
    expect(world.asked).toEqual([{ method: 'GET', path: phoneNumbers.alpha, query: {} }]);
    const members = {
      ...{ access_token: 'x', method: 'DELETE', ids: '1', batch: [], include_headers: true, about: 'Hi' },
      ...{ callback: 'x', suppress_http_code: 1 },
    };
    await world.call('POST', `/${phoneNumbers.alpha}/whatsapp_business_profile`, { body: members });
    expect(world.asked.map(({ json }) => json)).toEqual([{ about: 'Hi', messaging_product: 'whatsapp' }]);
  });
});

describe('a token', () => {
  const path = `/${phoneNumbers.alpha}`;
  const unauthenticated = { status: 401, json: { error: { code: 190, type: 'OAuthException' } } };

  it.each([
    ['a bearer', {}],
    ['a parameter', { query: { access_token: tokens.owner } }],
    ['a bearer beside an empty parameter', { query: { access_token: '' }, authorization: `Bearer ${tokens.owner}` }],
    ['both, if they are the same', { query: { access_token: tokens.owner }, authorization: `Bearer ${tokens.owner}` }],
  ])('is taken as %s', async (_, options) => {
    expect((await world.call('GET', path, options)).status).toBe(200);
  });

  it.each([
    ['another one in the query', { query: { access_token: tokens.member }, authorization: `Bearer ${tokens.owner}` }],
    ['two in the query', { query: { access_token: `${tokens.owner},${tokens.owner}` } }],
    ['one of Meta', { authorization: `Bearer ${accessToken}` }],
    ['one that was never given', { authorization: `Bearer ${tokens.owner.slice(0, -1)}x` }],
    ['none', { authorization: 'Basic eDp5' }],
  ])('is refused with %s', async (_, options) => {
    expect(await world.call('GET', path, options)).toMatchObject(unauthenticated);
    expect(world.asked).toEqual([]);
  });

  it('stays in no log, no error and no record', async () => {
    const query = { access_token: tokens.owner };
    const headers = { 'idempotency-key': 'key-1' };
    const texts: string[] = [];
    const asName = { query: { ...query, [tokens.owner]: '' } };
    for (const options of [
      { query },
      { query: { ...query, method: 'x' } },
      { query, body: message, headers },
      asName,
    ]) {
      const { text, headers: sent } = await world.call('POST', `/${phoneNumbers.alpha}/messages`, options);
      texts.push(text, JSON.stringify(sent));
    }
    texts.push(JSON.stringify(log), JSON.stringify(await Array.fromAsync(scanItems(world.table, {}))));
    expect(texts.join('\n')).not.toContain(tokens.owner);
  });
});

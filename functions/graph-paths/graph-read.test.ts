import { afterEach, describe, expect, it } from 'vitest';
import { hashToken, withChecksum } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import { flowChanges, type GraphPath, graphPaths } from '#shared/graph-paths/graph-paths.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { accounts, phoneNumbers, startGraphPathsWorld, tokens } from '#support/worlds/graph-paths-world.ts';

captureLog();

const world = forAllTests(() => startGraphPathsWorld());
afterEach(() => {
  world.reset();
});

describe('a path', () => {
  it.each(['/v25.0', '/v9.9', ''])('begins with a version or with the id: "%s"', async (version) => {
    const { status, json } = await world.call('GET', `${version}/${phoneNumbers.alpha}/`);
    expect([status, json.id]).toEqual([200, phoneNumbers.alpha]);
    expect(world.asked.map(({ path }) => path)).toEqual([phoneNumbers.alpha]);
  });

  it.each([
    ['GET', '/me'],
    ['GET', `/0${phoneNumbers.alpha}`],
    ['POST', '/v25.0/debug_token'],
    ['GET', '/v25.0/debug_token/x'],
    ['GET', `/v25.0/${phoneNumbers.alpha}/messages`],
    ['GET', `/v25.0/${accounts.alpha}/message_templates/1`],
    ['GET', `/v25.0/${accounts.alpha}/nothing`],
    ['POST', `/v25.0/${phoneNumbers.alpha}/register`],
    ['POST', `/v25.0/${phoneNumbers.alpha}/Messages`],
    ['POST', `/v25.0/${phoneNumbers.alpha}/messages/`],
    ['POST', `/v25.0//${phoneNumbers.alpha}/messages`],
    ['DELETE', `/v25.0/${phoneNumbers.alpha}/messages`],
    ['GET', `/v25.0/${phoneNumbers.alpha}%2f..`],
  ])('that the table lacks is an error that names the page: %s %s', async (method, path) => {
    const { status, json } = await world.call(method, path);
    expect([status, json.error.code]).toEqual([400, 2500]);
    expect(json.error.message).toContain('docs/graph-paths.md');
    expect(world.asked).toEqual([]);
  });

  it.each(flowChanges)('that changes Flows is refused with the operation to use: $method $of $edge', async (change) => {
    const id = change.of === 'flow' ? await world.newFlow(world.workspaces.alpha) : accounts.alpha;
    const { status, json } = await world.call(change.method, `/${id}${change.edge ? `/${change.edge}` : ''}`);
    expect([status, json.error.code]).toEqual([400, 100]);
    expect(json.error.message).toContain(change.instead);
    expect(world.asked).toEqual([]);
  });
});

/** Some clients ask for all fields that they know, and the simulated platform knows them, too. */
it.each(Object.entries<GraphPath>(graphPaths.read).filter(([, { fields }]) => fields))(
  'all fields that exist can be asked for: %s',
  async (_, { of, edge, fields = [], withheld = [] }) => {
    const template = await world.newTemplate(accounts.alpha);
    const flow = await world.newFlow(world.workspaces.alpha);
    const ids = { number: phoneNumbers.alpha, account: accounts.alpha, flow, template, media: '1' };
    const path = `/${ids[of]}${edge === undefined ? '' : `/${edge}`}`;
    const { status, text } = await world.call('GET', path, { query: { fields: [...fields, ...withheld].join() } });
    expect([status, text]).toEqual([200, text]);
  },
);

it('says when the user has too many numbers to look through', async () => {
  const number = { workspace: world.workspaces.beta.id, display_phone_number: '+1 555-010-0300', active: true };
  for (let ordinal = 0; ordinal < 10; ordinal++) {
    const id = `0c000000-0000-4000-8000-00000000000${ordinal}`;
    await numberStore(world.table).create({
      ...{ ...number, id, phone_number_id: `30000000000000${ordinal}`, calling_enabled: false, created_at: 0 },
    });
  }
  const file = await world.newFile(phoneNumbers.beta);
  const { json } = await world.call('GET', `/${file}`, { as: 'tenant' });
  expect(json.error).toMatchObject({
    code: 100,
    error_subcode: 33,
    message: expect.stringContaining('phone_number_id'),
  });
  const named = await world.call('GET', `/${file}`, { as: 'tenant', query: { phone_number_id: phoneNumbers.beta } });
  expect(named.status).toBe(200);
});

describe('debug_token', () => {
  it.each([{}, { input_token: tokens.member }, { input_token: 'x' }])(
    'says nothing of another token: %j',
    async (query) => {
      const { status, json } = await world.call('GET', '/v17.0/debug_token', { query });
      const details = 'The parameter input_token has to be the token of the request itself.';
      expect(status).toBe(400);
      expect(json.error).toMatchObject({ message: `(#100) ${details}`, code: 100, error_data: { details } });
    },
  );

  it('says of the token of the request that it is valid, for how long and for what', async () => {
    const { json } = await world.call('GET', '/v17.0/debug_token', { query: { input_token: tokens.owner } });
    const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'];
    expect(json).toEqual({
      data: {
        ...{ app_id: 'owner', application: 'test', type: 'USER', user_id: 'owner', is_valid: true },
        ...{ expires_at: 0, scopes },
      },
    });
    expect(world.asked).toEqual([]);
  });
});

it('an expired token is none', async () => {
  const expired = withChecksum('E'.repeat(32));
  await tokenStore(world.table).create({
    ...{ hash: hashToken(expired), user: 'owner', label: 'test', created_at: 0, expires_at: 1 },
  });
  const answer = await world.call('GET', `/${phoneNumbers.alpha}`, { authorization: `Bearer ${expired}` });
  expect(answer).toMatchObject({ status: 401, json: { error: { code: 190 } } });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { flowChanges, type GraphPath, graphPaths, type ObjectKind } from '#shared/graph-paths/graph-paths.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { accounts, phoneNumbers, startGraphPathsWorld } from '#support/worlds/graph-paths-world.ts';

captureLog();

/** Nothing has this id. */
const nowhere = '999999999999999';

type Ids = Record<ObjectKind, string>;

let own: Ids;
let others: Ids;
const world = forAllTests(() => startGraphPathsWorld());
beforeAll(async () => {
  const { alpha, beta } = world.workspaces;
  own = {
    number: phoneNumbers.alpha,
    account: accounts.alpha,
    flow: await world.newFlow(alpha),
    template: await world.newTemplate(accounts.alpha),
    media: await world.newFile(phoneNumbers.alpha),
  };
  others = {
    number: phoneNumbers.beta,
    account: accounts.beta,
    flow: await world.newFlow(beta),
    template: await world.newTemplate(accounts.beta),
    media: await world.newFile(phoneNumbers.beta),
  };
  // The first request that looks for a template remembers those that it sees.
  await world.call('GET', `/${nowhere}`);
});

const rows: readonly (readonly [string, Pick<GraphPath, 'method' | 'of' | 'edge'>])[] = [
  ...Object.values(graphPaths).flatMap((group) => Object.entries<GraphPath>(group)),
  ...flowChanges.map((change) => [`refuse ${change.method} ${change.edge ?? change.of}`, change] as const),
];

const pathOf = (id: string, edge: string | undefined) => `/v25.0/${id}${edge === undefined ? '' : `/${edge}`}`;

/**
 * What the user of another tenant gets, with what the id is replaced in its text, and how often the table was asked,
 * which the time of the response tells.
 */
async function answerTo(
  id: string,
  { method, edge }: (typeof rows)[number][1],
  as: 'owner' | 'stranger',
  query: Record<string, string> = {},
) {
  const { status, json } = await world.call(method, pathOf(id, edge), { as, query, body: { name: 'x' } });
  const { fbtrace_id: _, ...error } = json.error ?? {};
  const reads = world.awsCalls.length;
  return { status, reads, error: JSON.parse(JSON.stringify(error).replaceAll(id, '{id}')) };
}

const missing = { status: 400, error: { code: 100, error_subcode: 33 } };

const asked = () => JSON.stringify(world.asked);

describe.each(rows)('%s', (_, row) => {
  const kinds: readonly ObjectKind[] = ['number', 'account', 'flow', 'template', 'media'];

  it.each(kinds)(
    'with the id of a %s of another tenant on the same app is like one with an id of nothing',
    async (kind) => {
      const nothing = await answerTo(nowhere, row, 'owner');
      expect(nothing).toMatchObject(missing);
      expect(await answerTo(others[kind], row, 'owner')).toEqual(nothing);
      // Files and templates are not in the table: the platform has to be asked, with the caller's own number or account.
      if (kind !== 'media' && kind !== 'template') expect(asked()).not.toContain(others[kind]);
      expect(asked()).not.toContain(accounts.beta);
      expect(asked()).not.toContain(phoneNumbers.beta);
    },
  );

  it.each(kinds)('with the id of a %s is for a stranger as if nothing had it, and asks nobody', async (kind) => {
    expect(await answerTo(own[kind], row, 'stranger')).toEqual(await answerTo(nowhere, row, 'stranger'));
    expect(world.asked).toEqual([]);
  });

  it('with ids of other kinds does not exist', async () => {
    const same = rows.filter(([, { method, edge }]) => method === row.method && edge === row.edge);
    const served = new Set(same.map(([, { of }]) => of));
    for (const kind of kinds.filter((one) => !served.has(one))) {
      expect(await answerTo(own[kind], row, 'owner'), kind).toMatchObject(missing);
      const paths = world.asked.map(({ path }) => path);
      if (kind !== 'media' && kind !== 'template') expect(paths).not.toContain(own[kind]);
    }
  });
});

it('a number in the query ties a file to its own user only', async () => {
  const query = { phone_number_id: phoneNumbers.beta };
  for (const method of ['GET', 'DELETE']) {
    for (const id of [own.media, others.media]) {
      expect(await world.call(method, `/${id}`, { query })).toMatchObject({ status: 400 });
      expect(world.asked).toEqual([]);
    }
    const ownNumber = { phone_number_id: phoneNumbers.alpha };
    expect(await world.call(method, `/${others.media}`, { query: ownNumber })).toMatchObject({ status: 400 });
  }
  expect((await world.call('GET', `/${others.media}`, { as: 'tenant' })).status).toBe(200);
});

it('nothing tells that somebody else has an id if the query names a number', async () => {
  const file = { method: 'GET', of: 'media' } as const;
  const ask = (id: string, phone_number_id: string) => answerTo(id, file, 'owner', { phone_number_id });
  const nothing = await ask(nowhere, nowhere);
  const nothingOfOwn = await ask(nowhere, phoneNumbers.alpha);
  for (const id of [nowhere, ...Object.values(others)]) {
    expect(await ask(id, phoneNumbers.beta)).toEqual(nothing);
    expect(await ask(id, phoneNumbers.alpha)).toEqual(nothingOfOwn);
  }
});

it('lists of a shared account have only the numbers and Flows of the user', async () => {
  const flow = await world.newFlow(world.workspaces.gamma);
  const idsOf = async (edge: string, as: 'owner' | 'sharer') =>
    (await world.call('GET', `/${accounts.alpha}/${edge}`, { as })).json.data
      .map(({ id }: { id: string }) => id)
      .sort();
  expect(await idsOf('phone_numbers', 'owner')).toEqual([phoneNumbers.alpha, phoneNumbers.alphaSilent]);
  expect(await idsOf('phone_numbers', 'sharer')).toEqual([phoneNumbers.gamma]);
  expect(await idsOf('flows', 'owner')).toEqual([own.flow]);
  expect(await idsOf('flows', 'sharer')).toEqual([flow]);
});

it('pages of a shared account have cursors of the user only', async () => {
  const path = `/${accounts.alpha}/phone_numbers`;
  const pageOf = async (query: Record<string, string>, as: 'owner' | 'sharer' = 'owner') => {
    const { json } = await world.call('GET', path, { as, query: { limit: '1', ...query } });
    const { next, previous } = json.paging ?? {};
    return { ids: json.data.map(({ id }: { id: string }) => id), cursors: json.paging?.cursors, next, previous };
  };
  const shared = await pageOf({}, 'sharer');
  const { gamma, alpha, alphaSilent } = phoneNumbers;
  expect(shared).toEqual({ ids: [gamma], cursors: { before: gamma, after: gamma } });

  const first = await pageOf({});
  const [one] = first.ids;
  const [other] = [alpha, alphaSilent].filter((id) => id !== one);
  const next = `https://api.example.com/v2/graph/${accounts.alpha}/phone_numbers?limit=1&after=${one}`;
  expect(first).toEqual({ ids: [one], cursors: { before: one, after: one }, next });
  const second = await pageOf({ after: one });
  expect(second).toMatchObject({ ids: [other], previous: expect.stringContaining(`before=${other}`), next: undefined });
  expect(await pageOf({ before: other ?? '' })).toEqual(first);
  expect(await pageOf({ after: other ?? '' })).toEqual({ ids: [] });
  for (const cursor of [gamma, phoneNumbers.unknown, 'QVFI']) {
    const answer = await world.call('GET', path, { query: { after: cursor } });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 100 } } });
  }
});

describe('a Flow of another workspace in the same account', () => {
  const button = (flow: object) => ({ type: 'FLOW', text: 'Open', ...flow });
  const template = (flow: object) => ({
    ...{ name: `t_${Math.random().toString(36).slice(2)}`, language: 'en_US', category: 'UTILITY' },
    components: [
      { type: 'BODY', text: 'Hi' },
      { type: 'BUTTONS', buttons: [button(flow)] },
    ],
  });
  const message = (flow: object) => {
    const parameters = { flow_message_version: '3', flow_cta: 'Open', mode: 'draft', ...flow };
    const interactive = { type: 'flow', body: { text: 'Hi' }, action: { name: 'flow', parameters } };
    return { to: '+15550100999', type: 'interactive', interactive };
  };

  it.each([
    ['a message', () => `/${phoneNumbers.alpha}/messages`, message],
    ['a new template', () => `/${accounts.alpha}/message_templates`, template],
    ['a changed template', () => `/${own.template}`, template],
  ])('does not exist for %s, and costs as much as one that nobody has', async (_, path, bodyOf) => {
    await world.call('GET', `/${accounts.alpha}/message_templates`);
    const send = async (flow: object) => {
      const { status, json } = await world.call('POST', path(), { body: bodyOf(flow) });
      const { fbtrace_id: __, ...error } = json.error ?? {};
      return { status, error, reads: world.awsCalls.length, asked: world.asked.length };
    };
    const [ownName, foreignName] = [newId(), newId()];
    const ownFlow = await world.newFlow(world.workspaces.alpha, ownName);
    const foreignFlow = await world.newFlow(world.workspaces.gamma, foreignName);
    expect([await send({ flow_id: ownFlow }), await send({ flow_name: ownName })]).toMatchObject([
      { status: 200 },
      { status: 200 },
    ]);

    const unknownId = await send({ flow_id: nowhere });
    expect(unknownId).toMatchObject({ status: 400 });
    expect(await send({ flow_id: foreignFlow })).toEqual(unknownId);
    expect(asked()).not.toContain(foreignFlow);
    const unknownName = await send({ flow_name: newId() });
    expect(unknownName).toMatchObject({ status: 400 });
    expect(await send({ flow_name: foreignName })).toEqual(unknownName);
    expect(asked()).not.toContain(foreignName);
  });
});

describe('figures of a shared account', () => {
  const query = { start: '1', end: '2', granularity: 'DAILY' };
  it.each(['pricing_analytics', 'conversation_analytics', 'call_analytics'])(
    'are those of the own numbers: %s',
    async (edge) => {
      const path = `/${accounts.alpha}/${edge}`;
      const { json } = await world.call('GET', path, { as: 'sharer', query });
      expect(json.data[0].data_points).toEqual([expect.objectContaining({ phone_number: '15550100103' })]);
      for (const phone_numbers of ['["15550100101"]', '15550100103,15550100101', '[{"toString":null}]', '[null]']) {
        const answer = await world.call('GET', path, { as: 'sharer', query: { ...query, phone_numbers } });
        expect(answer, phone_numbers).toMatchObject({ status: 400, json: { error: { code: 100 } } });
        expect(world.asked).toEqual([]);
      }
    },
  );
});

it('an inactive number does not exist', async () => {
  const numbers = numberStore(world.table);
  for (const { id } of await numbers.listByWorkspace(world.workspaces.gamma.id))
    await numbers.set(id, { active: false });
  expect(await world.call('GET', `/${phoneNumbers.gamma}`, { as: 'sharer' })).toMatchObject({ status: 400 });
});

it('changing needs an owner, who is told so', async () => {
  const template = { name: 'x', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi' }] };
  await world.call('GET', `/${accounts.alpha}/message_templates`);
  for (const [method, path] of [
    ['POST', `/${accounts.alpha}/message_templates`],
    ['DELETE', `/${accounts.alpha}/message_templates`],
    ['POST', `/${own.template}`],
    ['POST', `/${phoneNumbers.alpha}/whatsapp_business_profile`],
  ] as const) {
    const answer = await world.call(method, path, { as: 'member', body: template });
    expect(answer, path).toMatchObject({ status: 403, json: { error: { code: 10 } } });
    expect(world.asked).toEqual([]);
  }
});

describe('a template in a parameter', () => {
  const figures = { start: '1', end: '2', granularity: 'DAILY', metric_types: 'SENT' };

  it.each([
    ['GET', 'template_analytics', 'template_ids', figures],
    ['DELETE', 'message_templates', 'hsm_ids', {}],
    ['DELETE', 'message_templates', 'hsm_id', { name: 'x' }],
  ] as const)('has to be of the account: %s %s?%s', async (method, edge, parameter, query) => {
    const path = `/${accounts.alpha}/${edge}`;
    await world.call('GET', `/${accounts.beta}/message_templates`, { as: 'tenant' });
    for (const value of [others.template, `[${own.template},"${others.template}"]`, `0${own.template}`, nowhere]) {
      const answer = await world.call(method, path, { query: { ...query, [parameter]: value } });
      expect(answer, value).toMatchObject({ status: 400, json: { error: missing.error } });
      expect(asked()).not.toContain(others.template);
    }
  });

  it.each(['', 'x', '1;2', '{"id":1}', Object.keys(Array(101).fill(0)).join()])(
    'is an id or a list of at most a hundred: %s',
    async (template_ids) => {
      const query = { ...figures, template_ids };
      const answer = await world.call('GET', `/${accounts.alpha}/template_analytics`, { query });
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 100 } } });
      expect(world.asked).toEqual([]);
    },
  );

  it.each(['%s', '[%s]', '["%s"]', '%s, %s'])('is taken if it is of the account: %s', async (form) => {
    const template_ids = form.replaceAll('%s', own.template);
    const query = { ...figures, template_ids };
    expect((await world.call('GET', `/${accounts.alpha}/template_analytics`, { query })).status).toBe(200);
    expect(world.asked.at(-1)?.query).toMatchObject({ template_ids });
  });
});

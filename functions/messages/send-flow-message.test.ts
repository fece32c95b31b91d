import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '#shared/accounts/token.ts';
import { newId } from '#shared/base/ids.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { ifElse } from '#support/flows/component-examples.ts';
import { flow as flowJson, footer, navigateTo, screen, step } from '#support/flows/flow-json.ts';
import { forAllTests } from '#support/for-tests.ts';
import { inParallel } from '#support/in-parallel.ts';
import { now } from '#support/worlds/api-world.ts';
import { failing, silence } from '#support/worlds/call-world.ts';
import { messageRejection, startMessageWorld } from '#support/worlds/message-world.ts';
import { sendMessage as contract } from './contracts.ts';
import { makeHandler } from './send-message.ts';

const log = logOfEachTest();

const contact = '15550100999';
const userId = 'BR.13491208655302741918';
const daySeconds = 24 * 3600;

const world = forAllTests(() => startMessageWorld());
beforeEach(() => world.reset());

const text = { type: 'string', __example__: 'x' };
const slots = { type: 'array', items: { type: 'object', properties: { seats: { type: 'integer' } } }, __example__: [] };

/** A Flow of three screens. The second can only be reached from the first. */
const booking = flowJson([step('DATE', [], { data: { name: text, slots } }), step('TIME', []), screen('PLACE')], {
  routing_model: { DATE: ['TIME'], TIME: [] },
});
const data = { name: 'Zoë', slots: [{ seats: 2 }] };
const simple = flowJson([screen('WELCOME'), screen('OTHER')]);
/** Its screens lead to each other by actions only, without a routing model. */
const linked = flowJson([
  screen('CONFIRM'),
  step('START', [footer(navigateTo('NAME'))]),
  step('NAME', [ifElse([footer(navigateTo('CONFIRM'))])]),
]);
const exchanging = { ...booking, data_api_version: '3.0' };
const dynamic = { endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };

const content = (flow: Pick<LiveFlow, 'id'>, members: object = {}) => ({
  flow: flow.id,
  cta: 'Book',
  body: 'Book a table',
  ...members,
});

async function send(flow: object, members: object = {}, headers = {}) {
  const number = await world.newNumber();
  const body = { to: contact, type: 'flow', flow, ...members };
  const response = await world.call({ contract, makeHandler }, number, { body, headers });
  return { ...response, number };
}

const startsOn = (first: string) => ({ flow_action: 'navigate', flow_action_payload: { screen: first } });

/** What the platform was asked to send, each with its token. */
const sentMessages = () =>
  world.requests.map(({ json }) => {
    const { interactive, ...message } = json as { interactive: Interactive };
    return { message, interactive, token: interactive.action.parameters.flow_token };
  });

interface Interactive {
  action: { parameters: { flow_token: string } & Record<string, unknown> };
}

const recordOf = (token: string | undefined) => world.sentFlows.find(hashToken(token ?? ''));

describe('a Flow that is sent by its id', () => {
  it('becomes an interactive message with a flow token', async () => {
    const flow = world.newFlow(booking);
    const texts = { header: 'Hello', footer: 'See you' };
    const others = { context: { message_id: 'wamid.1' }, biz_opaque_callback_data: 'o' };
    const { status, json } = await send(content(flow, { ...texts, screen: 'DATE', data }), others);
    expect(status).toBe(200);
    expect(json).toMatchObject({ messages: [{ id: 'wamid.HBgLMTU1NTAxMDA5OTk' }], contacts: [{ wa_id: contact }] });
    expect(world.requests.map((request) => request.json)).toEqual([
      {
        messaging_product: 'whatsapp',
        to: contact,
        ...others,
        type: 'interactive',
        interactive: {
          type: 'flow',
          header: { type: 'text', text: 'Hello' },
          body: { text: 'Book a table' },
          footer: { text: 'See you' },
          action: {
            name: 'flow',
            parameters: {
              flow_message_version: '3',
              flow_id: flow.wa_id,
              flow_token: expect.stringMatching(/^msgf_[0-9A-Za-z]{38}$/),
              flow_cta: 'Book',
              mode: 'published',
              flow_action: 'navigate',
              flow_action_payload: { screen: 'DATE', data },
            },
          },
        },
      },
    ]);
  });

  it('is recorded with its message and contact, and counted', async () => {
    const flow = world.newFlow(simple);
    const { number } = await send(content(flow, { expires_in: 3600 }));
    const [message] = sentMessages();
    expect(await recordOf(message?.token)).toEqual({
      token_hash: hashToken(message?.token ?? ''),
      workspace: number.workspace,
      number: number.id,
      flow: flow.id,
      contact,
      draft: false,
      created_at: now,
      expires_at: now + 3_600_000,
      stage: 'sent',
      message: 'wamid.HBgLMTU1NTAxMDA5OTk',
      revision: 2,
    });
    expect(await world.sentFlows.readFunnel(flow.id)).toMatchObject({ sent: 1, opened: 0, completed: 0 });
  });

  it('has a record before the platform is asked, because the contact may be faster than the response', async () => {
    const flow = world.newFlow(simple);
    const found: unknown[] = [];
    world.graph = async ({ json }) => {
      const { interactive } = json as { interactive: Interactive };
      found.push(await recordOf(interactive.action.parameters.flow_token));
      return { messages: [{ id: 'wamid.1' }], contacts: [] };
    };
    await send(content(flow));
    expect(found).toEqual([expect.objectContaining({ stage: 'prepared', contact })]);
  });

  it('goes to a user id, which is then its contact', async () => {
    await send(content(world.newFlow(simple)), { to: undefined, recipient: userId });
    const [sent] = sentMessages();
    expect(sent?.message).toMatchObject({ recipient: userId });
    expect(await recordOf(sent?.token)).toMatchObject({ contact: userId });
  });

  it.each<[string, object, Partial<LiveFlow>, object]>([
    ['on its first screen', simple, {}, startsOn('WELCOME')],
    ['on the screen to which none leads', linked, {}, startsOn('START')],
    ['as its endpoint wants', exchanging, dynamic, { flow_action: 'data_exchange' }],
    ['on its first screen if it does not ask its endpoint', simple, dynamic, startsOn('WELCOME')],
  ])('opens without a screen %s', async (_, json, members, expected) => {
    expect((await send(content(world.newFlow(json, members)))).status).toBe(200);
    const opening = Object.entries(sentMessages()[0]?.interactive.action.parameters ?? {});
    expect(Object.fromEntries(opening.filter(([name]) => name.startsWith('flow_action')))).toEqual(expected);
  });

  it.each([
    ['cta', 'Flow 24/7 ©®™ #1*'],
    ['cta', '𝒜'.repeat(20)],
    ['body', '👋'.repeat(1024)],
    ['header', 'é'.repeat(60)],
  ])('may have this %s: %s', async (name, value) => {
    expect((await send(content(world.newFlow(simple), { [name]: value }))).status).toBe(200);
  });

  it.each(['3600', '3600.0', '3.6e3'])('reads the written form %s of an integer', async (seconds) => {
    const { id } = world.newFlow(simple);
    const flow = `{"flow":"${id}","cta":"a","body":"b","expires_in":${seconds}}`;
    const body = `{"to":"${contact}","type":"flow","flow":${flow}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await world.call({ contract, makeHandler }, await world.newNumber(), { body, headers })).status).toBe(200);
    const [sent] = sentMessages();
    expect(await recordOf(sent?.token)).toMatchObject({ expires_at: now + 3_600_000 });
  });

  it('gets a different token for each of a hundred concurrent messages', async () => {
    const flow = world.newFlow(simple);
    world.graph = ({ json }) => ({ messages: [{ id: `wamid.${(json as { to: string }).to}` }], contacts: [] });
    const contacts = Array.from({ length: 100 }, (_, index) => `1555010${String(index).padStart(4, '0')}`);
    const answers = await inParallel(contacts, (to) => send(content(flow), { to }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const records = await inParallel(sentMessages(), ({ token }) => recordOf(token));
    expect(records.map((record) => record?.contact).sort()).toEqual(contacts);
    for (const record of records) expect(record?.message).toBe(`wamid.${record?.contact}`);
    expect((await world.sentFlows.readFunnel(flow.id)).sent).toBe(100);
  });

  it('logs neither its token nor its contact', async () => {
    await send(content(world.newFlow(simple)));
    const [sent] = sentMessages();
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${contact}|${sent?.token}|wamid|Book`));
  });
});

describe('the status of a Flow', () => {
  it.each<[LiveFlow['status'], string | undefined, string]>([
    ['PUBLISHED', undefined, 'published'],
    ['PUBLISHED', 'published', 'published'],
    ['THROTTLED', undefined, 'published'],
    ['DRAFT', 'draft', 'draft'],
  ])('%s lets it be sent with the mode %s', async (status, mode, expected) => {
    const flow = world.newFlow(simple, { status });
    expect((await send(content(flow, { mode }))).status).toBe(200);
    expect(sentMessages()[0]?.interactive.action.parameters.mode).toBe(expected);
  });

  it.each<[LiveFlow['status'], string | undefined, RegExp]>([
    ['DRAFT', undefined, /is a draft/],
    ['DRAFT', 'published', /is a draft/],
    ['PUBLISHED', 'draft', /Omit "mode"/],
    ['DEPRECATED', undefined, /this Flow is deprecated/],
    ['BLOCKED', undefined, /this Flow is blocked/],
    ['UNKNOWN', undefined, /Only a published Flow/],
  ])('%s with the mode %s is an error', async (status, mode, message) => {
    const response = await send(content(world.newFlow(simple, { status }), { mode }));
    expect(response).toMatchObject({ status: 400, json: { message: expect.stringMatching(message) } });
    expect(world.requests).toEqual([]);
  });

  it('of a workspace without a business account is an error', async () => {
    const workspace = (await world.newWorkspace({}, { waba_id: null })).id;
    const [number, flow] = [await world.newNumber({ workspace }), world.newFlow(simple, { workspace })];
    const body = { to: contact, type: 'flow', flow: content(flow) };
    const { status, headers } = await world.call({ contract, makeHandler }, number, { body });
    expect([status, headers['x-error-code']]).toEqual([400, 'workspace_no_business_account']);
    expect(world.requests).toEqual([]);
  });

  it('is checked after the fields', async () => {
    const response = await send(content(world.newFlow(simple, { status: 'BLOCKED' }), { screen: 'NOWHERE' }));
    expect(response.status).toBe(422);
  });

  it('keeps a draft from being counted', async () => {
    const flow = world.newFlow(simple, { status: 'DRAFT' });
    await send(content(flow, { mode: 'draft' }));
    expect((await world.sentFlows.readFunnel(flow.id)).sent).toBe(0);
  });
});

describe('the fields of a Flow message', () => {
  it.each<[string, object, string, RegExp]>([
    ['a Flow that does not exist', { flow: newId() }, 'flow.flow', /Flow of the workspace/],
    ['an id that is not a UUID', { flow: '7' }, 'flow.flow', /UUID/],
    ['an empty button', { cta: '' }, 'flow.cta', /required/],
    ['a long button', { cta: 'x'.repeat(21) }, 'flow.cta', /20/],
    ['an emoji in the button', { cta: 'Book 🍕' }, 'flow.cta', /emoji/],
    ['an emoji that looks like text', { cta: '❤ Book ✈' }, 'flow.cta', /emoji/],
    ['a flag in the button', { cta: 'Book 🇧🇷' }, 'flow.cta', /emoji/],
    ['a blank text', { body: ' ' }, 'flow.body', /required/],
    ['a member that does not exist', { expire_in: 3600 }, 'flow.expire_in', /does not exist/],
    ['a flow token of the client', { flow_token: 'mine' }, 'flow.flow_token', /does not exist/],
    ['half a second', { expires_in: 60.5 }, 'flow.expires_in', /integer/],
    ['a long text', { body: 'x'.repeat(1025) }, 'flow.body', /1024/],
    ['half a character', { body: '\ud83d' }, 'flow.body', /Unicode/],
    ['a long header', { header: 'x'.repeat(61) }, 'flow.header', /60/],
    ['a long footer', { footer: 'x'.repeat(61) }, 'flow.footer', /60/],
    ['a mode that does not exist', { mode: 'test' }, 'flow.mode', /draft, published/],
    ['a token that expires at once', { expires_in: 59 }, 'flow.expires_in', /at least 60/],
    ['a token that lasts too long', { expires_in: 30 * daySeconds + 1 }, 'flow.expires_in', /2592000/],
    ['a screen that does not exist', { screen: 'NOWHERE' }, 'flow.screen', /Valid values: DATE, PLACE\./],
    ['a screen that others lead to', { screen: 'TIME' }, 'flow.screen', /Valid values: DATE, PLACE\./],
    ['data that is missing', { data: { slots: [] } }, 'flow.data.name', /required/],
    ['data of the wrong type', { data: { ...data, name: 7 } }, 'flow.data.name', /string/],
    [
      'nested data of the wrong type',
      { data: { ...data, slots: [{ seats: 'two' }] } },
      'flow.data.slots[0].seats',
      /integer/,
    ],
    [
      'data that its screen does not declare',
      { data: { ...data, extra: 1 } },
      'flow.data.extra',
      /DATE does not declare/,
    ],
    ['data for a screen without data', { screen: 'PLACE', data }, 'flow.data.name', /PLACE does not declare/],
  ])('%s is rejected', async (_, members, field, message) => {
    const { status, json } = await send(content(world.newFlow(booking), { data, ...members }));
    expect(status).toBe(422);
    expect(json.errors).toMatchObject({ [field]: [expect.stringMatching(message)] });
    expect(world.requests).toEqual([]);
  });

  it.each(['NAME', 'CONFIRM'])('a screen to which an action leads is rejected: %s', async (name) => {
    const { status, json } = await send(content(world.newFlow(linked), { screen: name }));
    expect(status).toBe(422);
    expect(json.errors).toMatchObject({ 'flow.screen': [expect.stringMatching(/Valid values: START\./)] });
  });

  it.each([
    ['no Flow', { flow: undefined }, 'flow'],
    ['a Flow as text', { flow: newId() }, 'flow'],
    ['no recipient', { to: undefined }, 'to'],
  ])('%s is rejected', async (_, members, field) => {
    const { status, json } = await send(content(world.newFlow(simple)), members);
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
  });

  it('data without a screen is rejected if the endpoint names the first screen', async () => {
    const { status, json } = await send(content(world.newFlow(exchanging, dynamic), { data }));
    expect([status, Object.keys(json.errors)]).toEqual([422, ['flow.screen']]);
  });

  it('a Flow of another workspace is as unknown as one that does not exist', async () => {
    const { status, json } = await send(content(world.newFlow(simple, { workspace: newId() })));
    expect([status, Object.keys(json.errors)]).toEqual([422, ['flow.flow']]);
  });
});

describe('a Flow message that the platform does not accept', () => {
  it.each([
    [messageRejection(132069), 429],
    [messageRejection(132068), 400],
    [new UpstreamError('unreachable', 'Not reachable'), 502],
  ])('leaves no record and does not count: %s', async (error, expected) => {
    const flow = world.newFlow(simple);
    world.graph = failing(error);
    expect((await send(content(flow))).status).toBe(expected);
    expect(await recordOf(sentMessages()[0]?.token)).toBeUndefined();
    expect((await world.sentFlows.readFunnel(flow.id)).sent).toBe(0);
  });

  it('keeps its record if it may have been sent', async () => {
    world.graph = failing(silence());
    expect((await send(content(world.newFlow(simple)))).status).toBe(504);
    expect(await recordOf(sentMessages()[0]?.token)).toMatchObject({ stage: 'prepared', contact });
  });
});

it('a message whose record cannot be completed was sent nevertheless', async () => {
  const { sentFlows } = world;
  world.sentFlows = { ...sentFlows, advance: () => Promise.reject(new Error('table gone')) };
  expect((await send(content(world.newFlow(simple)))).status).toBe(200);
  world.sentFlows = sentFlows;
  expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'sent-flow.not-recorded' }));
});

import { describe, expect, it } from 'vitest';
import { hashToken } from '#shared/accounts/token.ts';
import type { ContactItem } from '#shared/contacts/contact-data-store.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { flowFilesId } from '#shared/flow-endpoint/file-address.ts';
import type { KeyedRequest } from '#shared/idempotency/keyed-request-store.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import { findContact, placesOf, type Scope } from './search.ts';

const workspaces = [{ id: 'shared' }, { id: 'second' }, { id: 'own', own_credentials: true as const }];
const ownNumber = '15550100001';
const numbers = workspaces.map(({ id }) => ({
  ...{ id: `${id}-number`, workspace: id, phone_number_id: `2000${id.length}` },
  display_phone_number: id === 'shared' ? '+1 555-010-0001' : `+1 555-010-000${id.length}`,
}));
const places = placesOf(workspaces, numbers);

/** What is kept, each item under a name. */
interface Kept {
  items: Map<string, ContactItem>;
  objects: Map<string, string>;
}

const empty = (): Kept => ({ items: new Map(), objects: new Map() });

interface Where {
  subscriber?: string;
  sent?: Partial<Delivery>;
  large?: boolean;
}

function keepEvent(kept: Kept, name: string, event: unknown, { subscriber = 'shared-number', ...where }: Where = {}) {
  const text = JSON.stringify(event);
  const blob = `notifications/${subscriber}/${name}.json`;
  if (where.large) kept.objects.set(blob, text);
  const record = { id: name, subscriber, attempts: [], payload: where.large ? { blob } : { text }, ...where.sent };
  kept.items.set(name, { kind: 'delivery', record: record as unknown as Delivery });
}

function keepResponse(kept: Kept, name: string, body: unknown, subscriber = 'shared-number', headers = {}) {
  const response = { status: 200, headers, body: JSON.stringify(body) };
  const record = { subscriber, response } as unknown as KeyedRequest;
  kept.items.set(name, { kind: 'keyed-request', key: { pk: name, sk: name }, record });
}

const keepFile = (kept: Kept, number: string, media: string) => kept.objects.set(`media/${number}/${media}/1`, '');

/** The names of everything that a search for the person finds, and the ids that it knows in the end. */
async function find({ items, objects }: Kept, id: string, scope?: Scope) {
  const list = async function* (prefix: string) {
    yield* [...objects.keys()].filter((key) => key.startsWith(prefix));
  };
  const scan = async function* () {
    yield* items.values();
  };
  const storage = { table: { scan }, bucket: { list, get: async (key: string) => objects.get(key) } };
  const found = await findContact(storage as never, places, id, scope);
  const records: unknown[] = [...found.deliveries, ...found.sentFlows];
  const isFound = (item: ContactItem) =>
    item.kind === 'keyed-request' ? found.responses.includes(item.key) : records.includes(item.record);
  const names = [...items].filter(([, item]) => isFound(item)).map(([name]) => name);
  const notifications = [...found.notifications];
  return {
    names: names.sort(),
    files: [...found.files].sort(),
    notifications,
    ids: [...found.ids].sort(),
    left: found.left,
  };
}

/** People whose ids share their digits. The user id of each is the number of the next. */
const phones = [
  '16505551234',
  '916505551234',
  '6505551234',
  '4930123456',
  '493012345678',
  '551112345678',
  '15511123456',
];
const people = phones.map((phone, index) => ({ phone, userId: `BR.${phones[(index + 1) % phones.length]}`, index }));

const inGroups = (size: number, separator: string) => (digits: string) =>
  digits.match(new RegExp(`.{1,${size}}`, 'g'))?.join(separator) ?? '';

const inDigits = (zero: number) => (digits: string) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** The ways to write a number. */
const forms: Record<string, (digits: string) => string> = {
  digits: (digits) => digits,
  'a plus': (digits) => `+${digits}`,
  'a prefix': (digits) => `00 ${digits}`,
  parentheses: (digits) => `+${digits.slice(0, 2)} (${digits.slice(2, 4)}) ${digits.slice(4)}`,
  'a zero in parentheses': (digits) => `+${digits.slice(0, 2)} (0)${digits.slice(2)}`,
  'line breaks': inGroups(6, '\r\n'),
  'soft hyphens': inGroups(3, '\u00ad'),
  'marks of direction': (digits) => `\u2066${inGroups(4, '\u200e ')(digits)}\u2069`,
  'full-width digits': inDigits(0xff10),
  'Arabic digits': inDigits(0x0660),
  ...Object.fromEntries(
    [...' -./\u00a0\u2007\u2009\u202f\u3000\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d'].map(
      (separator, index) => [JSON.stringify(separator), inGroups((index % 3) + 2, separator)],
    ),
  ),
};

const messageIdOf = (phone: string) =>
  `wamid.${Buffer.from(`\x1d\x18\x0d${phone}\x15\x02\x00A1B2`).toString('base64')}`;

const stranger = { from: '33123456789', id: 'wamid.none', type: 'text' };

/** Keeps something of a person in every place and in every form; the names begin with the person's index. */
function plant(kept: Kept, { phone, userId, index }: (typeof people)[number]): void {
  let count = 0;
  const name = () => `${index}.${count++}`;
  const event = (value: unknown, where?: Where) => keepEvent(kept, name(), value, where);
  event({ contacts: [{ wa_id: phone, user_id: userId }], messages: [{ ...stranger, from: phone }] });
  event({ statuses: [{ recipient_id: Number(phone) }] });
  event({ messages: [{ from_user_id: userId }] }, { large: true });
  event({ field: 'account_update', value: { text: phone } }, { subscriber: 'shared' });
  event({ messages: [{ ...stranger, reaction: { message_id: messageIdOf(phone) } }] });
  for (const [form, write] of Object.entries(forms)) {
    const body = `call me (${write(phone)}), please`;
    event({ messages: [{ ...stranger, text: { body } }] });
    event({ messages: [{ ...stranger, nfm_reply: { response_json: JSON.stringify({ form, a: [body] }) } }] });
    // The beginning of a response that has the notification in it.
    const excerpt = JSON.stringify({ received: JSON.stringify({ body }) }).slice(0, -2);
    event({ messages: [stranger] }, { sent: { attempts: [{ at: 1, duration_ms: 1, status: 500, excerpt }] } });
  }
  event({ messages: [stranger] }, { sent: { sent_flow: { flow: 'f', contact: userId } } });
  const sent = { number: 'second-number', contact: userId, message: 'wamid.none' } as SentFlow;
  kept.items.set(name(), { kind: 'sent-flow', record: sent });
  keepResponse(kept, name(), { contacts: [{ input: `+${phone}`, wa_id: phone }], messages: [{ id: 'wamid.none' }] });
  keepResponse(kept, name(), { success: true }, 'second-number', { 'x-call-id': messageIdOf(phone) });
  // One file twice, one in a Flow, one for each kind of event that goes to the workspace.
  const image = (number: string) => {
    const id = `${1_000_000_000_000_000 + index * 100 + kept.objects.size}`;
    keepFile(kept, number, id);
    return { type: 'image', image: { id, mime_type: 'image/png' } };
  };
  const message = { from: phone, ...image('shared-number') };
  event({ messages: [message] });
  event({ messages: [message] }, { sent: { target: 'secondary_webhook' } });
  const { image: photo } = image('shared-number');
  const response_json = JSON.stringify({ photos: [photo] });
  event({ messages: [{ from_user_id: userId, interactive: { nfm_reply: { response_json } } }] });
  const ofWorkspace = { subscriber: 'second' };
  const field = (value: unknown) => event({ field: 'history', value }, ofWorkspace);
  field({ message_echoes: [{ from: '1555010006', to: phone, ...image('second-number') }] });
  field({ history: [{ threads: [{ id: phone, messages: [image('second-number')] }] }] });
  field({ standby: { messages: [{ from_user_id: userId, ...image('second-number') }] } });
}

const planted = empty();
for (const person of people) plant(planted, person);
const namesOf = (index: number) => [...planted.items.keys()].filter((name) => name.startsWith(`${index}.`)).sort();

describe.each(people)('a search among neighbours who share the digits of $phone', ({ phone, userId, index }) => {
  it.each([phone, userId])('finds exactly what names the person, by %s', async (id) => {
    const { names, files, ids } = await find(planted, id);
    expect(names).toEqual(namesOf(index));
    expect(ids).toEqual([phone, userId].sort());
    expect(files).toHaveLength(5);
    const isTheirs = (file: string) => Math.trunc((Number(file.split('/')[1]) % 1000) / 100) === index;
    expect(files.every(isTheirs)).toBe(true);
  });
});

it('the ids of a person who changed them several times lead to each other', async () => {
  const kept = empty();
  const ids = ['5511900007001', '5511900007002', 'BR.31', 'BR.32', '5511900007003'];
  const [first = '', second = '', third, fourth, last] = ids;
  // The latest change comes first, so each search learns one id.
  keepEvent(kept, '1', { messages: [{ from_user_id: fourth, system: { wa_id: last } }] });
  keepEvent(kept, '2', { messages: [{ system: { user_id: fourth, previous_user_id: third } }] });
  keepEvent(kept, '3', { value: { sender: { phone_number: second, user_id: third } } }, { subscriber: 'second' });
  keepEvent(kept, '4', { messages: [{ from: first, system: { wa_id: second } }] });
  for (const id of ids) {
    const found = await find(kept, id);
    expect(found).toMatchObject({ ids: [...ids].sort(), names: ['1', '2', '3', '4'] });
  }
});

describe('what an app says', () => {
  const person = '5511900000001';
  const victim = '5511900000002';
  const linking = {
    contacts: [
      { wa_id: person, user_id: 'BR.2' },
      { user_id: 'BR.2', wa_id: victim },
    ],
  };

  it('counts only where it may speak', async () => {
    const kept = empty();
    keepEvent(kept, 'forged', linking, { subscriber: 'own' });
    keepEvent(kept, 'of own', { messages: [{ from: victim }] }, { subscriber: 'own-number' });
    keepEvent(kept, 'of the deployment', { messages: [{ from: victim }] });
    keepResponse(kept, 'response', { contacts: [{ wa_id: victim }] }, 'second');
    expect((await find(kept, person)).names).toEqual(['forged', 'of own']);
  });

  it('counts for all workspaces that use the app', async () => {
    const kept = empty();
    keepEvent(kept, 'link', linking, { subscriber: 'second-number' });
    keepEvent(kept, 'other', { messages: [{ from: victim }] });
    expect((await find(kept, person)).names).toEqual(['link', 'other']);
  });

  it('never makes a number of the service an id of the person', async () => {
    const kept = empty();
    keepEvent(kept, 'link', { contacts: [{ wa_id: person, input: ownNumber, phone_number: '20006' }] });
    keepEvent(kept, 'other', { calls: [{ from: victim, to: ownNumber }] });
    expect(await find(kept, person)).toMatchObject({ names: ['link'], ids: [person] });
    await expect(find(kept, ownNumber)).rejects.toThrow('not a contact');
  });

  it('names no files of other workspaces', async () => {
    const kept = empty();
    keepFile(kept, 'shared-number', '7');
    keepEvent(kept, 'forged', { messages: [{ from: person, image: { id: '7' } }] }, { subscriber: 'own' });
    expect((await find(kept, person)).files).toEqual([]);
  });

  it('is not what a response says that a customer wrote', async () => {
    const kept = empty();
    keepResponse(kept, 'flow', { name: 'Book', json: linking });
    keepEvent(kept, 'other', { messages: [{ from: victim }] });
    expect((await find(kept, person)).names).toEqual(['flow']);
  });
});

it('a large notification goes with the log of its attempts', async () => {
  const kept = empty();
  const sent = { attempts: [{ at: 1, duration_ms: 1, status: 500, excerpt: 'No 5511900000001' }] };
  keepEvent(kept, 'large', { messages: [stranger] }, { large: true, sent });
  expect(await find(kept, '5511900000001')).toMatchObject({
    names: ['large'],
    notifications: [...kept.objects.keys()],
  });
});

it('files of Flows go with the sent Flow, or with a final response that has its token', async () => {
  const kept = empty();
  const person = '5511900000001';
  const tokens = ['ours', 'of another system', "somebody else's"];
  const [ours = '', other = '', foreign = ''] = tokens.map((token) => flowFilesId(hashToken(token)));
  for (const copy of [ours, foreign]) keepFile(kept, 'shared-number', copy);
  for (const copy of [other, foreign]) keepFile(kept, 'shared', copy);
  const sent = { number: 'shared-number', contact: person, token_hash: hashToken('ours') } as SentFlow;
  kept.items.set('sent', { kind: 'sent-flow', record: sent });
  const nfm_reply = { response_json: JSON.stringify({ flow_token: tokens[1] }) };
  keepEvent(kept, 'final', { messages: [{ from: person, interactive: { nfm_reply } }] });
  expect((await find(kept, person)).files).toEqual([`shared-number/${ours}`, `shared/${other}`].sort());
});

it('a limit leaves what belongs to others', async () => {
  const kept = empty();
  const person = '5511900000001';
  for (const subscriber of ['shared-number', 'second-number']) {
    keepEvent(kept, `event of ${subscriber}`, { messages: [{ from: person, image: { id: '7' } }] }, { subscriber });
    keepResponse(kept, `response of ${subscriber}`, { to: person }, subscriber);
    keepFile(kept, subscriber, '7');
  }
  kept.items.set('flow', { kind: 'other', key: { pk: 'FLOW_JSON#1', sk: '' }, record: { text: person } });
  expect(await find(kept, person, new Set(['second', 'second-number']))).toMatchObject({
    names: ['event of second-number', 'response of second-number'],
    files: ['second-number/7'],
    left: [],
  });
  expect((await find(kept, person)).left).toEqual(['FLOW_JSON#1']);
});

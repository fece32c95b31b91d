import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { conform } from '#local/conform/conform.ts';
import { describeConformity } from '#local/conform/report.ts';
import { eventTypes } from '#local/graph/events/events.ts';
import { createRecorder } from '#local/recording/recorder.ts';
import { isExchange, readRecording } from '#local/recording/recording.ts';
import { saveRecording } from '#local/recording/save.ts';
import { seededCredentials } from '#local/seed.ts';
import { flowJson } from '#support/flows/flow-service.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { sdpOf } from '#support/sdp.ts';
import { endpointFlowJson } from '#support/worlds/simulated-graph.ts';
import { startTestWorld, type TestWorld } from '#support/worlds/world.ts';

const root = join(import.meta.dirname, '../..');
const contact = '5511987654321';
const recorder = createRecorder();
let world: TestWorld;
let folder: string;
let file: string;
/** How many entries it has. */
let first = 0;
/** A second session, which began on the data of the first one. */
let laterFile: string;

/** A session of the local world that covers what the service asks of the platform. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
  file = join(folder, 'session.jsonl');
  world = await startTestWorld({ recorder });
  await sendMessages();
  await useMedia();
  await useFlows();
  await call();
  await changeSettings();
  await receiveEvents();
  const seen = (begin = 0) => recorder.entries.slice(begin).filter((entry) => !isExchange(entry)).length;
  const expected = people.length * (eventTypes.length - 1);
  await vi.waitFor(() => expect(seen()).toBeGreaterThan(expected + 20), { timeout: 300_000, interval: 20 });
  first = recorder.entries.length;
  saveRecording(file, world.description.upstream_url, recorder.entries);
  await useEarlierData();
  await vi.waitFor(() => expect(seen(first)).toBeGreaterThan(10), { timeout: 300_000, interval: 20 });
  laterFile = join(folder, 'later.jsonl');
  saveRecording(laterFile, world.description.upstream_url, recorder.entries.slice(first));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function api<T = { id: string }>(method: string, path: string, body?: unknown): Promise<T> {
  const [number] = world.description.numbers;
  const [workspace] = world.description.workspaces;
  const at = path.startsWith('flows') ? `workspaces/${workspace?.id}` : `messaging/numbers/${number?.id}`;
  const isForm = body instanceof FormData;
  const response = await fetch(`${world.description.base_url}/v2/${at}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.description.tokens.owner}`,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) as T;
}

async function simulate<T = { id: string }>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${world.description.upstream_url}/simulator/${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const send = (message: object) => api('POST', 'messages', { to: contact, ...message });

async function sendMessages(): Promise<void> {
  const { id: received } = await incoming('text');
  const buttons = ['Sim', 'Não'].map((title) => ({ type: 'reply', reply: { id: `choice-${title}`, title } }));
  const section = {
    title: 'Horários',
    rows: [
      { id: 'a', title: 'Manhã' },
      { id: 'b', title: 'Tarde' },
    ],
  };
  for (const message of [
    { type: 'text', text: { body: 'Olá, Ana Lima! Seu código é 482913.' } },
    { type: 'text', text: { body: 'Veja https://example.com/ana' }, context: { message_id: received } },
    { type: 'image', image: { link: 'https://example.com/ana-lima.jpg', caption: 'Ana' } },
    { type: 'location', location: { latitude: -23.55052, longitude: -46.63331, name: 'Casa', address: 'Rua Azul 5' } },
    { type: 'reaction', reaction: { message_id: received, emoji: '👍' } },
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ana Lima', first_name: 'Ana' },
          phones: [{ phone: '+55 11 98765-4321', type: 'CELL' }],
        },
      ],
    },
    { type: 'interactive', interactive: { type: 'button', body: { text: 'Serve?' }, action: { buttons } } },
    {
      type: 'interactive',
      interactive: { type: 'list', body: { text: 'Quando?' }, action: { button: 'Ver', sections: [section] } },
    },
    {
      type: 'template',
      template: {
        name: 'order_ready',
        language: { code: 'pt_BR' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana Lima' }] }],
      },
    },
    { type: 'interactive', interactive: { type: 'nothing' } },
    { type: 'text', text: {} },
  ]) {
    await send(message);
  }
  await api('POST', 'messages', { status: 'read', message_id: received, typing_indicator: { type: 'text' } });
}

async function incoming(type: string): Promise<{ id: string }> {
  const { data } = await simulate<{
    data: { body: { entry: { changes: { value: { messages: { id: string }[] } }[] }[] } }[];
  }>('POST', 'events', { events: [{ type, contact: { wa_id: contact, profile: { name: 'Ana Lima' } } }] });
  return { id: String(data[0]?.body.entry[0]?.changes[0]?.value.messages[0]?.id) };
}

async function useMedia(): Promise<void> {
  const form = new FormData();
  form.set('file', new File(['%PDF-1.7 Ana Lima'], 'ana-lima.pdf', { type: 'application/pdf' }));
  const { id } = await api('POST', 'media', form);
  await send({ type: 'document', document: { id, filename: 'ana-lima.pdf' } });
  await api('DELETE', `media/${id}`);
  const { id: received } = await simulate('POST', 'media', { mime_type: 'image/png', size: 100 });
  await api('GET', `media/${received}`);
  await api('GET', 'media/1234567890123456');
}

async function useFlows(): Promise<void> {
  const endpoint = await startHttpServer((_, response) => response.writeHead(200).end('{"data":{"status":"active"}}'));
  const created = (name: string, more: object = {}) => api('POST', 'flows', { name, categories: [3], ...more });
  const { id } = await created('Mesa da Ana');
  await created('Mesa da Ana');
  await api('PUT', `flows/${id}/json`, { json: { version: '7.3', screens: [] } });
  await api('PUT', `flows/${id}/json`, { json: flowJson });
  await api('PUT', `flows/${id}`, { name: 'Mesa da Ana 2' });
  await api('POST', `flows/${id}/publish`);
  await api('GET', `flows/${id}`);
  await send({ type: 'flow', flow: { flow: id, cta: 'Reservar', body: 'Quando, Ana?' } });
  await simulate('POST', 'messages/latest/complete-flow', {
    response: { name: 'Ana Lima', phone: '+55 11 98765-4321' },
  });
  const dynamic = await created('Dinâmica', { endpoint_url: `${endpoint.url}/flow`, endpoint_encrypted: false });
  await api('PUT', `flows/${dynamic.id}/json`, { json: JSON.parse(endpointFlowJson) });
  await api('POST', `flows/${dynamic.id}/publish`);
  const draft = await created('Rascunho');
  await api('DELETE', `flows/${draft.id}`);
  await api('DELETE', `flows/${id}`);
  await api('GET', 'flows');
  await endpoint.close();
}

async function call(): Promise<void> {
  const [number] = world.description.numbers;
  const answer = sdpOf('answer');
  const incomingCall = () => simulate('POST', 'calls', { phone_number_id: number?.phone_number_id, from: contact });
  const accepted = await incomingCall();
  await api('POST', 'calls/accept', {
    call_id: accepted.id,
    session: { sdp: answer },
    connection: { webrtc: { sdp: answer } },
  });
  await api('POST', 'calls/hang-up', { call_id: accepted.id });
  const rejected = await incomingCall();
  await api('POST', 'calls/reject', { call_id: rejected.id });
  await api('GET', `calls/call-permissions?user_wa_id=${contact}`);
  await simulate('PUT', `call-permissions/${number?.phone_number_id}/${contact}`, { status: 'permanent' });
  await api('GET', `calls/call-permissions?user_wa_id=${contact}`);
  const offer = sdpOf('offer');
  await api('POST', 'calls/make', { to: contact, session: { sdp: offer }, connection: { webrtc: { sdp: offer } } });
  await simulate('POST', 'calls/latest/answer', {});
  await simulate('POST', 'calls/latest/hang-up', {});
}

async function changeSettings(): Promise<void> {
  await api('GET', 'calls/settings');
  await api('PUT', 'calls/settings', { call_icon_visibility: 'DISABLE_ALL' });
  await api('GET', 'calls/settings');
}

/** The ways in which the platform shows a person. */
const people = [
  { wa_id: contact, profile: { name: 'Ana Lima' } },
  { wa_id: contact, user_id: 'BR.13491208655302', profile: { name: 'Ana Lima', username: 'analima' } },
];

/** Every event that the simulated platform has, of every person. */
async function receiveEvents(): Promise<void> {
  const types = eventTypes.filter((type) => type !== 'field');
  await simulate('POST', 'events', {
    events: people.flatMap((person) => types.map((type) => ({ type, contact: person }))),
  });
}

/** A Flow has the name already, and the person has permitted calls for good. */
async function useEarlierData(): Promise<void> {
  await api('POST', 'flows', { name: 'Dinâmica', categories: [3] });
  await api('GET', 'flows');
  const action = { name: 'call_permission_request' };
  await send({ type: 'interactive', interactive: { type: action.name, body: { text: 'Podemos ligar?' }, action } });
  await sendMessages();
  await useMedia();
  await call();
}

describe('a recording of the local world', () => {
  it('covers messages, media, Flows, calls and settings', () => {
    const paths = recorder.entries.filter(isExchange).map(({ request }) => `${request.method} ${request.path}`);
    for (const edge of [
      'messages',
      'media',
      'flows',
      'assets',
      'publish',
      'calls',
      'call_permissions',
      'settings',
      'whatsapp_business_encryption',
    ]) {
      expect(paths.filter((path) => path.endsWith(`/${edge}`))).not.toEqual([]);
    }
    const methods = new Set(recorder.entries.filter(isExchange).map(({ request }) => request.method));
    expect([...methods].sort()).toEqual(['DELETE', 'GET', 'POST']);
    const statuses = recorder.entries.filter(isExchange).map(({ response }) => response.status);
    expect(statuses).toContain(400);
  });

  it('shows nothing of people, and no credentials', async () => {
    const text = await readFile(file, 'utf8');
    const secrets = [
      contact,
      '98765',
      'Ana',
      'Lima',
      'Rua Azul',
      '482913',
      '-23.55',
      ...Object.values(seededCredentials),
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(readRecording(text).entries).toHaveLength(first);
  });

  it('conforms to the simulated platform', async () => {
    const result = await conform(readRecording(await readFile(file, 'utf8')));
    expect(describeConformity(result)).toMatch(
      /^\d+ requests and \d+ events were compared: the simulated platform conforms.$/,
    );
  });

  it('conforms, too, if it began on the data of an earlier one', async () => {
    const recording = readRecording(await readFile(laterFile, 'utf8'));
    const codes = recording.entries
      .filter(isExchange)
      .map(({ response }) => response.body?.json as { error?: { code: number; error_subcode?: number } })
      .flatMap((json) => (json?.error ? [json.error.error_subcode ?? json.error.code] : []));
    expect(codes).toEqual(expect.arrayContaining([4016019, 138017]));
    expect(describeConformity(await conform(recording))).toMatch(
      /^\d+ requests and \d+ events were compared: the simulated platform conforms.$/,
    );
  });

  it('with members that differ is reported by line and member, and ends with code 1', async () => {
    const lines = (await readFile(file, 'utf8')).split('\n');
    const sent = lines.findIndex(
      (line) => line.includes('/messages"') && line.includes('"status":200') && line.includes('"contacts"'),
    );
    const changed = JSON.parse(String(lines[sent]));
    changed.response.body.json.brand_new = 1;
    changed.response.body.json.messages[0].id = 7;
    delete changed.response.body.json.contacts;
    lines[sent] = JSON.stringify(changed);
    const failed = lines.findIndex((line) => line.includes('"status":400'));
    const other = JSON.parse(String(lines[failed]));
    other.response.body.json.error.code = 190;
    lines[failed] = JSON.stringify(other);
    const status = { id: 'wamid.1', status: 'failed', errors: [{ code: 999_999 }] };
    const value = { messaging_product: 'whatsapp', statuses: [status] };
    lines.push(JSON.stringify({ at: 1, event: bodyOf({ field: 'messages', value }) }));
    lines.push(JSON.stringify({ at: 1, event: bodyOf({ field: 'brand_new_field', value: {} }) }));
    const name = join(folder, 'changed.jsonl');
    await writeFile(name, lines.join('\n'));

    const { code, stdout } = await run(name);
    expect(code).toBe(1);
    expect(stdout).toContain(`line ${sent + 1}: POST `);
    expect(stdout).toContain('absent  brand_new: the simulated platform lacks it');
    expect(stdout).toContain('extra   contacts: only the simulated platform has it');
    expect(stdout).toContain('type    messages[0].id: recorded number, simulated string');
    expect(stdout).toContain('error.code: recorded 190, simulated');
    expect(stdout).toContain('code    statuses[0].errors[0].code: recorded 999999, simulated');
    expect(stdout).toContain('event   brand_new_field: the simulated platform has no such event');
    const { mismatches } = JSON.parse((await run(name, '--json')).stdout);
    expect(mismatches.map(({ line }: { line: number }) => line)).toContain(sent + 1);
  });

  it('that is none is named with its line, and ends with code 2', async () => {
    const name = join(folder, 'broken.jsonl');
    await writeFile(name, '{"recording":1,"platform":"x"}\n{"request":{}}\n');
    expect(await run(name)).toMatchObject({
      code: 2,
      stderr: 'Line 2 is not what docs/recordings.md describes: at is missing or of another type.\n',
    });
  });
});

const bodyOf = (change: object) => ({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [change] }] });

function run(...words: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(root, 'local/conform/run.ts'), ...words], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

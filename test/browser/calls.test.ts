import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptCall, hangUpCall, makeCall } from '#functions/calls/contracts.ts';
import { rotateWebhookSecret as rotateSecret, updateWebhook } from '#functions/webhooks/contracts.ts';
import type { Call } from '#local/graph/calls/calls.ts';
import { seededNumbers, seededTokens } from '#local/seed.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { apiClient } from '../../support/http/client.ts';
import { type Receiver, startReceiver, verified } from '../../support/http/receiver.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';
import { type Phone, startPhones } from './phones.ts';

/** A call event as `calls_webhook` gets it. */
interface CallEvent {
  id: string;
  event?: string;
  status?: string;
  from?: string;
  to?: string;
  session?: { sdp_type: string; sdp: string };
  duration?: number;
}

const number = seededNumbers[0]?.id ?? '';
const business = '15550100001';
const soon = { timeout: 300_000, interval: 50 };

let world: TestWorld;
let receiver: Receiver;
let phones: Awaited<ReturnType<typeof startPhones>>;
let api: ReturnType<typeof apiClient>;
let secret: string;
beforeAll(async () => {
  [world, receiver, phones] = await Promise.all([startTestWorld(), startReceiver(), startPhones()]);
  api = apiClient(world.description.base_url, { token: seededTokens.owner, params: { number } });
  await api.succeed(updateWebhook, { body: { calls_webhook: `${receiver.url}/calls` } });
  ({ secret } = await api.succeed(rotateSecret));
});
afterAll(async () => {
  await Promise.all([world.close(), receiver.close(), phones.close()]);
});

/** The control surface of the simulated upstream: what the contact's phone sees and does. */
async function simulator(method: string, path: string, body?: object): Promise<Call> {
  const response = await fetch(`${world.description.upstream_url}/simulator${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The simulator answered ${response.status} ${await response.text()}`);
  return (await response.json()) as Call;
}

/** Call events of one contact, in the order in which they came. */
function eventsOf(contact: string): CallEvent[] {
  const ids = new Set<string>();
  return receiver
    .received('/calls')
    .flatMap((request) => {
      const { calls = [], statuses = [] } = verified(request, secret) as Record<string, CallEvent[]>;
      return [...calls, ...statuses];
    })
    .filter((event) => {
      if ([event.from, event.to, Reflect.get(event, 'recipient_id')].includes(contact)) ids.add(event.id);
      return ids.has(event.id);
    });
}

/** Waits for the event of a contact's call. */
async function event(contact: string, name: string): Promise<CallEvent> {
  const find = () => eventsOf(contact).find((one) => one.event === name || one.status === name);
  await expect.poll(find, soon).toBeDefined();
  return find() ?? { id: '' };
}

async function expectConversation(...parties: Phone[]): Promise<void> {
  const states = () => Promise.all(parties.map((phone) => phone.state()));
  await expect.poll(states, soon).toEqual(parties.map(() => 'connected'));
  for (const phone of parties) {
    await expect.poll(phone.bytesReceived, soon).toBeGreaterThan(0);
    const before = await phone.bytesReceived();
    await expect.poll(phone.bytesReceived, soon).toBeGreaterThan(before);
  }
}

async function expectSilence(phone: Phone): Promise<void> {
  let received = Number.NaN;
  const growth = async () => {
    const before = received;
    received = await phone.bytesReceived();
    return received - before;
  };
  await expect.poll(growth, { ...soon, interval: 300 }).toBe(0);
}

const callState = async (id: string) => (await simulator('GET', `/calls/${id}`)).state;

/**
 * The event makes our side close its connection, so that the contact hears no more; on the platform the call is over.
 */
async function expectEnd(contact: string, agent: Phone, phone: Phone): Promise<CallEvent> {
  const terminate = await event(contact, 'terminate');
  await agent.hangUp();
  await expectSilence(phone);
  expect(await callState(terminate.id)).toBe('ENDED');
  return terminate;
}

/** A browser's SDP has no findings but that it hides its addresses. */
async function expectTaken(contract: Contract, body: object): Promise<void> {
  const { status, text, headers } = await api.call(contract, { body });
  expect([status, text]).toEqual([200, '{"success":true}']);
  expect(headers.get('x-sdp-findings') ?? 'only-private-candidates').toBe('only-private-candidates');
}

describe('a call to a contact', () => {
  it('rings, is accepted, is heard on both sides, and is ended', async () => {
    const contact = '5511988880001';
    const [agent, phone] = [await phones.newPhone(), await phones.newPhone()];
    const sdp = await agent.offer();
    const body = { to: contact, connection: { webrtc: { sdp } }, session: { sdp, sdp_type: 'offer' } };
    await expectTaken(makeCall, body);

    await event(contact, 'RINGING');
    const ringing = await simulator('GET', '/calls/latest');
    expect(ringing).toMatchObject({ contact, state: 'RINGING', offer: sdp });
    await simulator('POST', `/calls/${ringing.id}/answer`, { sdp: await phone.answer(ringing.offer) });

    const connect = await event(contact, 'connect');
    expect(connect).toMatchObject({ id: ringing.id, from: business, to: contact, session: { sdp_type: 'answer' } });
    await agent.take(connect.session?.sdp ?? '');
    await event(contact, 'ACCEPTED');
    await expectConversation(agent, phone);

    expect(await api.succeed(hangUpCall, { body: { call_id: connect.id } })).toEqual({ success: true });
    expect(await expectEnd(contact, agent, phone)).toMatchObject({
      id: connect.id,
      status: 'COMPLETED',
      duration: expect.any(Number),
    });
  });
});

describe('a call of a contact', () => {
  it('is accepted, is heard on both sides, and is ended by the contact', async () => {
    const contact = '5511988880003';
    const [agent, phone] = [await phones.newPhone(), await phones.newPhone()];
    const { id } = await simulator('POST', '/calls', { from: contact, sdp: await phone.offer() });

    const connect = await event(contact, 'connect');
    expect(connect).toMatchObject({ id, from: contact, to: business, session: { sdp_type: 'offer' } });
    const sdp = await agent.answer(connect.session?.sdp ?? '');
    await expectTaken(acceptCall, { call_id: id, sdp });

    const { answer, state } = await simulator('GET', `/calls/${id}`);
    expect([state, answer]).toEqual(['CONNECTED', sdp]);
    await phone.take(answer ?? '');
    await expectConversation(agent, phone);

    await simulator('POST', `/calls/${id}/hang-up`);
    expect(await expectEnd(contact, agent, phone)).toMatchObject({ id, status: 'COMPLETED' });
  });
});

it('a call leaves neither SDP nor phone numbers of contacts in the log', () => {
  expect(world.logs.length).toBeGreaterThan(0);
  expect(world.logs.join('\n')).not.toMatch(/ice-ufrag|candidate|551198888/);
  expect(world.errors).toEqual([]);
});

import { randomInt } from 'node:crypto';
import { describe, expect } from 'vitest';
import { acceptCall, getCallPermission, makeCall } from '#functions/calls/contracts.ts';
import { sendMessage } from '#functions/messages/contracts.ts';
import { updateWebhook } from '#functions/webhooks/contracts.ts';
import { seededNumbers } from '#local/seed.ts';
import { callReference } from '#shared/calls/call-errors.ts';
import type { Contract } from '#shared/operations/contract.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { replaced, sdpOf, without } from '#support/sdp.ts';
import type { FlowService } from '../../support/flows/flow-service.ts';
import type { CallOptions, Reply } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';
import { it } from './shared-world.ts';

let service: FlowService;
let receiver: Receiver;
let tokens: Record<'owner' | 'member' | 'stranger', string>;

const number = seededNumbers[0] as PhoneNumber;
/** An SDP with everything that careless code would change. */
const offer = replaced(sdpOf('offer'), 's=', 's=canary ñ 📞 "\\');
const answer = replaced(sdpOf('answer'), 's=', 's=canary ñ 📞 "\\');

it.beforeAll(async ({ service: shared }) => {
  service = shared;
  tokens = service.world.description.tokens;
  receiver = await startReceiver();
  await call(updateWebhook, { body: { calls_webhook: `${receiver.url}/calls`, webhook: `${receiver.url}/messages` } });
});
it.afterAll(async () => {
  await call(updateWebhook, { body: { calls_webhook: null, webhook: null } });
  await receiver.close();
  service.expectQuiet();
});

const call = (contract: Contract, options: CallOptions = {}): Promise<Reply> =>
  service.api.call(contract, { ...options, params: { number: number.id, ...options.params } });

const newContact = () => `5511${randomInt(10 ** 8, 10 ** 9)}`;

const incomingCall = (from = newContact()) =>
  service.simulate<{ id: string; contact: string }>('calls', 'POST', {
    phone_number_id: number.phone_number_id,
    from,
    sdp: offer,
  });

const permit = (contact: string, settings: object) =>
  service.simulate(`call-permissions/${number.phone_number_id}/${contact}`, 'PUT', settings);

/** The notifications about a call that arrived at `calls_webhook`, in the order of the upstream's times. */
function eventsOf(id: string) {
  const notifications = receiver
    .received('/calls')
    .map(({ body }) => JSON.parse(body.toString()) as { calls?: Event[]; statuses?: Event[] });
  return notifications
    .flatMap(({ calls = [], statuses = [] }) => [...calls, ...statuses])
    .filter((each) => each.id === id);
}

/** An incoming message. */
interface PermissionReply {
  context?: { id: string };
  interactive?: object;
}

interface Event {
  id: string;
  event?: string;
  status?: string;
  call_recording?: { audio: { id: string } };
  call_transcript?: { document: { id: string } };
}

const namesOf = (id: string) => eventsOf(id).map(({ event, status }) => event ?? status);

const eventCame = async (id: string, name: string): Promise<Event | undefined> => {
  await expect.poll(() => namesOf(id), soon).toContain(name);
  return eventsOf(id).find(({ event, status }) => (event ?? status) === name);
};

describe('a request for permission', () => {
  it('is a message, and the reply changes the permission', async () => {
    const to = newContact();
    await permit(to, { status: 'no_permission' });
    const action = { name: 'call_permission_request' };
    const interactive = { type: 'call_permission_request', action, body: { text: 'May we call you?' } };
    const asked = await call(sendMessage, { body: { to, type: 'interactive', interactive } });
    expect(asked.status).toBe(200);
    const [{ id }] = (asked.body as { messages: [{ id: string }] }).messages;
    await service.simulate(`call-permissions/${number.phone_number_id}/${to}/reply`, 'POST', {
      response: 'accept',
      is_permanent: false,
    });
    const replies = () =>
      receiver
        .received('/messages')
        .flatMap(({ body }) => (JSON.parse(body.toString()) as { messages?: PermissionReply[] }).messages ?? [])
        .filter(({ context }) => context?.id === id);
    await expect
      .poll(replies, soon)
      .toMatchObject([
        { interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } } },
      ]);
    const { body } = await call(getCallPermission, { query: { user_wa_id: to } });
    expect(body).toMatchObject({ calling: { permission: { status: 'temporary' } } });
    expect(
      (await call(makeCall, { body: { to, connection: { webrtc: { sdp: offer } }, session: { sdp: offer } } })).status,
    ).toBe(200);
  });
});

describe('what the platform keeps of a call', () => {
  async function download(id: unknown): Promise<string> {
    const headers = { authorization: `Bearer ${tokens.member}` };
    const response = await fetch(`${service.baseUrl}/v2/messaging/numbers/${number.id}/media/${id}`, { headers });
    return response.text();
  }

  const kept = { status: 'ENABLED', purpose: 'to improve our service', announcement_language: 'en_US' };
  const asked = { recording: kept, transcription: kept };

  it('is recorded and transcribed if the call was accepted so, and fetched by id: no links', async () => {
    const { id } = await incomingCall();
    expect((await call(acceptCall, { body: { call_id: id, sdp: answer, ...asked } })).status).toBe(200);
    await service.simulate(`calls/${id}/hang-up`, 'POST');
    const recorded = await eventCame(id, 'call_recording_available');
    const transcribed = await eventCame(id, 'call_transcription_available');
    expect(JSON.stringify([recorded, transcribed])).not.toMatch(/"(url|link|file)"|https?:/);
    expect(await download(recorded?.call_recording?.audio.id)).toContain('a recording');
    expect(await download(transcribed?.call_transcript?.document.id)).toContain('[Business] Hello.');
  });
});

/** Decodes the parts of a text that may be base64, from each possible offset. */
const decodedBase64 = (text: string) =>
  [...text.matchAll(/[\w+/-]{12,}/g)]
    .flatMap(([part]) => [0, 1, 2, 3].map((from) => Buffer.from(part.slice(from), 'base64').toString('latin1')))
    .join('\n');

describe('the log', () => {
  it('has the user, the action and the call, but no contacts and no SDPs', async () => {
    const { id, contact } = await incomingCall();
    await call(acceptCall, { body: { call_id: id, sdp: without(answer, 'a=setup') }, token: tokens.member });
    const lines = () =>
      service.world.logs.filter((line) => line.includes('call.asked') && line.includes(callReference(id)));
    await expect.poll(lines, soon).toHaveLength(1);
    expect(lines()[0]).toMatch(/"action":"accept"/);
    expect(lines()[0]).toMatch(/"user":"0a000000-0000-4000-8000-000000000002"/);
    expect(lines()[0]).toMatch(/"sdp_findings":"no-setup"/);
    const personal = new RegExp(`${contact}|a=candidate|192\\.0\\.2\\.10`);
    const log = service.world.logs.join('\n');
    expect(log).not.toMatch(personal);
    expect(decodedBase64(log)).not.toMatch(personal);
    expect(decodedBase64(id), 'an id would be found').toMatch(personal);
  });
});

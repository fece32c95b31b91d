import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract as acceptCall } from '#functions/calls/accept-call/contract.ts';
import { contract as getCallPermission } from '#functions/calls/get-call-permission/contract.ts';
import { contract as getCallSettings } from '#functions/calls/get-call-settings/contract.ts';
import { contract as hangUpCall } from '#functions/calls/hang-up-call/contract.ts';
import { contract as makeCall } from '#functions/calls/make-call/contract.ts';
import { contract as rejectCall } from '#functions/calls/reject-call/contract.ts';
import { contract as updateCallSettings } from '#functions/calls/update-call-settings/contract.ts';
import { contract as sendMessage } from '#functions/messages/send-message/contract.ts';
import { operations } from '#functions/operations.ts';
import {
  contract as updateWebhook,
  workspaceContract as updateWorkspaceWebhook,
} from '#functions/webhooks/update-webhook/contract.ts';
import { contract as getNumber } from '#functions/workspaces/get-number/contract.ts';
import { contract as getWorkspace } from '#functions/workspaces/get-workspace/contract.ts';
import { seededNumbers } from '#local/seed.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { newId } from '#shared/base/ids.ts';
import { createToken } from '#shared/domain/accounts/token.ts';
import { callReference } from '#shared/domain/calls/call-reference.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { errorCodes } from '#shared/domain/upstream/error-codes.ts';
import { callErrorTexts } from '#shared/http/calls/call-error-texts.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { replaced, sdpOf, without } from '#support/sdp.ts';
import { type FlowService, startFlowService } from '../../support/flows/flow-service.ts';
import type { CallOptions, Reply } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

let service: FlowService;
let receiver: Receiver;
let tokens: Record<'owner' | 'member' | 'stranger', string>;

const [number, silent, inactive] = seededNumbers as [PhoneNumber, PhoneNumber, PhoneNumber];
/** An SDP with everything that careless code would change. */
const offer = replaced(sdpOf('offer'), 's=', 's=canary ñ 📞 "\\');
const answer = replaced(sdpOf('answer'), 's=', 's=canary ñ 📞 "\\');

beforeAll(async () => {
  service = await startFlowService();
  tokens = service.world.description.tokens;
  receiver = await startReceiver();
  await call(updateWebhook, { body: { calls_webhook: `${receiver.url}/calls`, webhook: `${receiver.url}/messages` } });
});
afterEach(() => service.clearFaults());
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const call = (contract: Contract, options: CallOptions = {}): Promise<Reply> =>
  service.api.call(contract, { ...options, params: { number: number.id, ...options.params } });

const newContact = () => `5511${randomInt(10 ** 8, 10 ** 9)}`;

const offerTo = (to: string, sdp = offer, session: object = {}) => ({
  to,
  connection: { webrtc: { sdp } },
  session: { sdp, ...session },
});

/** A call in the simulated platform. */
interface SimulatedCall {
  id: string;
  contact: string;
  offer: string;
  answer: string | null;
  state: string;
}

const simulatedCalls = async () => (await service.simulate<{ data: SimulatedCall[] }>('calls')).data;

const callWith = async (contact: string) => (await simulatedCalls()).find((each) => each.contact === contact);

const incomingCall = (from = newContact(), sdp = offer) =>
  service.simulate<SimulatedCall>('calls', 'POST', { phone_number_id: number.phone_number_id, from, sdp });

const permit = (contact: string, settings: object) =>
  service.simulate(`call-permissions/${number.phone_number_id}/${contact}`, 'PUT', settings);

const rejection = (status: number, error: { code: number }, headers: Record<string, string> = {}) =>
  ({ kind: 'error', status, error, headers }) as const;

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

interface Voicemail {
  id: string;
  type: string;
  audio: { id: string };
}

interface Event {
  id: string;
  event?: string;
  status?: string;
  direction?: string;
  connection?: { webrtc: { sdp: string } };
  session?: { sdp_type: string; sdp: string };
  call_recording?: { audio: { id: string } };
  call_transcript?: { document: { id: string } };
}

const namesOf = (id: string) => eventsOf(id).map(({ event, status }) => event ?? status);

const eventCame = async (id: string, name: string): Promise<Event | undefined> => {
  await expect.poll(() => namesOf(id), soon).toContain(name);
  return eventsOf(id).find(({ event, status }) => (event ?? status) === name);
};

describe('the call permission', () => {
  it('has exactly its members', async () => {
    const contact = newContact();
    const expiration_time = Math.floor(Date.now() / 1000) + 3_600;
    await permit(contact, { status: 'temporary', expiration_time });
    const { status, body } = await call(getCallPermission, { query: { user_wa_id: contact } });
    expect(status).toBe(200);
    const limit = (time_period: string) => ({
      time_period,
      max_allowed: expect.any(Number),
      current_usage: expect.any(Number),
    });
    expect(body).toEqual({
      number: { uuid: number.id, waba_id: '100000000000001', user_wa_id: contact, to: '15550100001' },
      calling: {
        messaging_product: 'whatsapp',
        permission: { status: 'temporary', expiration_time },
        actions: [
          {
            action_name: 'send_call_permission_request',
            can_perform_action: expect.any(Boolean),
            limits: [limit('PT24H'), limit('P7D')],
          },
          { action_name: 'start_call', can_perform_action: true, limits: [limit('PT24H')] },
        ],
      },
    });
  });

  it.each(['permanent', 'no_permission'])('has an expiration_time of 0 if it is %s', async (status) => {
    const contact = newContact();
    await permit(contact, { status });
    const reply = await service.api.succeed(getCallPermission, {
      params: { number: number.id },
      query: { user_wa_id: contact },
    });
    expect(reply.calling.permission).toEqual({ status, expiration_time: 0 });
  });

  it('requires the contact’s id in digits', async () => {
    for (const query of [{}, { user_wa_id: '' }, { user_wa_id: '+5511987654321' }, { user_wa_id: '5511 9' }]) {
      const { status, body } = await call(getCallPermission, { query: query as Record<string, string> });
      expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, ['user_wa_id']]);
    }
  });

  it('is looked up again after a transient failure of the platform', async () => {
    await service.fault('get_call_permissions', { kind: 'error', status: 500, error: { code: 131000 } });
    expect((await call(getCallPermission, { query: { user_wa_id: newContact() } })).status).toBe(200);
  });

  it.each([{ code: 613 }, { code: 4, error_subcode: 2390008 }])(
    'returns 429 after too many look-ups: %j',
    async (error) => {
      await service.fault('get_call_permissions', rejection(429, error, { 'retry-after': '3' }));
      const { status, headers, message } = await call(getCallPermission, { query: { user_wa_id: newContact() } });
      expect([status, headers.get('retry-after')]).toEqual([429, '3']);
      expect(message).toMatch(/looked up too often.* 3 seconds/);
    },
  );
});

describe('starting a call', () => {
  it('rings the contact and delivers the contact’s SDP answer', async () => {
    const to = newContact();
    const { status, text, headers } = await call(makeCall, { body: offerTo(to) });
    expect([status, text, headers.get('x-sdp-findings')]).toEqual([200, '{"success":true}', null]);

    const { id = '' } = (await callWith(to)) ?? {};
    await eventCame(id, 'RINGING');
    await service.simulate(`calls/${id}/answer`, 'POST', { sdp: answer });
    expect(await eventCame(id, 'connect')).toMatchObject({
      direction: 'BUSINESS_INITIATED',
      connection: { webrtc: { sdp: answer } },
      session: { sdp_type: 'answer', sdp: answer },
    });
    await eventCame(id, 'ACCEPTED');

    expect(await service.api.succeed(hangUpCall, { params: { number: number.id }, body: { call_id: id } })).toEqual({
      success: true,
    });
    expect(await eventCame(id, 'terminate')).toMatchObject({ direction: 'BUSINESS_INITIATED', status: 'COMPLETED' });
    expect((await callWith(to))?.state).toBe('ENDED');
  });

  it.each([undefined, 'offer', 'answer', 'pranswer'])(
    'sends the SDP unchanged as an offer when sdp_type is %s',
    async (type) => {
      const to = newContact();
      const session = type === undefined ? {} : { sdp_type: type };
      expect((await call(makeCall, { body: offerTo(to, offer, session) })).status).toBe(200);
      expect(await callWith(to)).toMatchObject({ offer, answer: null });
    },
  );

  it('uses the SDP of the session', async () => {
    const to = newContact();
    const body = { ...offerTo(to), connection: { webrtc: { sdp: 'another' } } };
    const { status, headers } = await call(makeCall, { body });
    expect([status, headers.get('x-sdp-findings')]).toEqual([200, 'connection-sdp-differs']);
    expect((await callWith(to))?.offer).toBe(offer);
  });

  it('reports REJECTED when the contact declines', async () => {
    const to = newContact();
    await call(makeCall, { body: offerTo(to) });
    const { id = '' } = (await callWith(to)) ?? {};
    await service.simulate(`calls/${id}/reject`, 'POST');
    await eventCame(id, 'REJECTED');
    await eventCame(id, 'terminate');
  });

  it('starting a call requires the contact’s permission', async () => {
    const to = newContact();
    await permit(to, { status: 'no_permission' });
    const { status, body, headers } = await call(makeCall, { body: offerTo(to) });
    expect(status).toBe(400);
    expect(body).toEqual({ message: expect.stringMatching(/^The contact has not permitted calls/) });
    expect(headers.get('x-upstream-error-code')).toBe('138006');
  });

  it('is rejected while there is already a call, even if its response was lost', async () => {
    const to = newContact();
    await service.fault('connect_call', { kind: 'accept_then_reset' });
    const lost = await call(makeCall, { body: offerTo(to) });
    expect([lost.status, lost.message]).toEqual([502, expect.stringContaining('calls_webhook')]);
    const again = await call(makeCall, { body: offerTo(to) });
    expect([again.status, again.headers.get('x-upstream-error-code')]).toEqual([400, '138003']);
    await eventCame((await callWith(to))?.id ?? '', 'RINGING');
  });
});

describe('a person without a phone number', () => {
  const newUserId = () => `BR.${randomInt(10 ** 9, 10 ** 10)}`;

  it('is looked up, called and recognised by user id, and the call is known by its id', async () => {
    const recipient = newUserId();
    await permit(recipient, { status: 'permanent' });
    const permission = await call(getCallPermission, { query: { recipient } });
    expect(permission.body).toMatchObject({ number: { recipient }, calling: { permission: { status: 'permanent' } } });
    expect(permission.text).not.toContain('user_wa_id');

    const { to: _, ...body } = offerTo('');
    const response = await call(makeCall, { body: { ...body, recipient, biz_opaque_callback_data: 'order 7' } });
    expect([response.status, response.text]).toEqual([200, '{"success":true}']);
    const id = String(response.headers.get('x-call-id'));
    expect(await callWith(recipient)).toMatchObject({ id, state: 'RINGING' });
    expect((await call(hangUpCall, { body: { call_id: id } })).status).toBe(200);
    expect(await eventCame(id, 'terminate')).toMatchObject({
      to_user_id: recipient,
      biz_opaque_callback_data: 'order 7',
    });
  });

  it('is not called together with a phone number', async () => {
    const body = { ...offerTo(newContact()), recipient: newUserId() };
    const reply = await call(makeCall, { body, headers: { 'accept-language': 'pt' } });
    expect([reply.status, reply.message]).toEqual([422, 'O campo to e recipient se excluem. Envie somente um deles.']);
  });
});

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
    expect((await call(makeCall, { body: offerTo(to) })).status).toBe(200);
  });
});

describe('accepting a call', () => {
  it('connects the caller with the unchanged SDP answer', async () => {
    const { id, contact } = await incomingCall();
    expect(await eventCame(id, 'connect')).toMatchObject({
      direction: 'USER_INITIATED',
      connection: { webrtc: { sdp: offer } },
      session: { sdp_type: 'offer', sdp: offer },
    });
    const { status, text } = await call(acceptCall, { body: { call_id: id, sdp: answer } });
    expect([status, text]).toEqual([200, '{"success":true}']);
    expect(await callWith(contact)).toMatchObject({ answer, state: 'CONNECTED' });

    await service.simulate(`calls/${id}/hang-up`, 'POST');
    expect(await eventCame(id, 'terminate')).toMatchObject({ status: 'COMPLETED', duration: expect.any(Number) });
  });

  it('sends two requests to the platform, the first of which lets the audio connect', async () => {
    const before = (await service.upstreamRequests()).length;
    const { id } = await incomingCall();
    await call(acceptCall, { body: { call_id: id, sdp: answer } });
    const asked = (await service.upstreamRequests()).slice(before);
    expect(asked.map(({ operation }) => operation)).toEqual(['pre_accept_call', 'accept_call']);
  });

  it.each<[string, 'reset' | 'accept_then_reset', number]>([
    ['pre_accept_call', 'reset', 200],
    ['pre_accept_call', 'accept_then_reset', 200],
    ['accept_call', 'reset', 502],
  ])('succeeds in the end if the response to %s was lost (%s)', async (operation, kind, first) => {
    const { id, contact } = await incomingCall();
    await service.fault(operation, { kind });
    expect((await call(acceptCall, { body: { call_id: id, sdp: answer } })).status).toBe(first);
    if (first !== 200) expect((await call(acceptCall, { body: { call_id: id, sdp: answer } })).status).toBe(200);
    expect(await callWith(contact)).toMatchObject({ answer, state: 'CONNECTED' });
  });

  it('is rejected for a call that has ended or never existed', async () => {
    const { id } = await incomingCall();
    await service.simulate(`calls/${id}/hang-up`, 'POST');
    for (const call_id of [id, 'wacid.unknown', '0']) {
      const { status, message, headers } = await call(acceptCall, { body: { call_id, sdp: answer } });
      expect([status, headers.get('x-upstream-error-code')], call_id).toEqual([400, '100']);
      expect(message).toMatch(/^The call has ended/);
    }
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

  async function acceptedCall(): Promise<string> {
    const { id } = await incomingCall();
    expect((await call(acceptCall, { body: { call_id: id, sdp: answer, ...asked } })).status).toBe(200);
    return id;
  }

  async function madeCall(): Promise<string> {
    const { status, headers } = await call(makeCall, { body: { ...offerTo(newContact()), ...asked } });
    expect(status).toBe(200);
    const id = String(headers.get('x-call-id'));
    await service.simulate(`calls/${id}/answer`, 'POST', { sdp: answer });
    return id;
  }

  it.each([
    ['accepted', acceptedCall],
    ['made', madeCall],
  ])('is recorded and transcribed if the call was %s so, and fetched by id: no links', async (_, begin) => {
    const id = await begin();
    await service.simulate(`calls/${id}/hang-up`, 'POST');
    const recorded = await eventCame(id, 'call_recording_available');
    const transcribed = await eventCame(id, 'call_transcription_available');
    expect(JSON.stringify([recorded, transcribed])).not.toMatch(/"(url|link|file)"|https?:/);
    expect(await download(recorded?.call_recording?.audio.id)).toContain('a recording');
    expect(await download(transcribed?.call_transcript?.document.id)).toContain('[Business] Hello.');
  });

  it('is a voicemail if the call is not answered: a message with the id of the call', async () => {
    const { id } = await incomingCall();
    await service.simulate(`calls/${id}/no-answer`, 'POST');
    expect(await eventCame(id, 'terminate')).not.toHaveProperty('start_time');
    await service.simulate(`calls/${id}/voicemail`, 'POST');
    const voicemails = () =>
      receiver
        .received('/messages')
        .flatMap(({ body }) => (JSON.parse(body.toString()) as { messages?: Voicemail[] }).messages ?? [])
        .filter((message) => message.id === id);
    await expect.poll(voicemails, soon).toMatchObject([{ type: 'audio', audio: { voice: true } }]);
    expect(await download(voicemails()[0]?.audio.id)).toContain('a recording');
  });
});

describe('rejecting a call', () => {
  it('rejecting a call turns the contact away', async () => {
    const { id, contact } = await incomingCall();
    const { status, text } = await call(rejectCall, { body: { call_id: id } });
    expect([status, text]).toEqual([200, '{"success":true}']);
    await eventCame(id, 'terminate');
    expect((await callWith(contact))?.state).toBe('ENDED');
  });
});

describe('ending a call', () => {
  it('ends a call that is still ringing', async () => {
    const to = newContact();
    await call(makeCall, { body: offerTo(to) });
    const { id = '' } = (await callWith(to)) ?? {};
    expect((await call(hangUpCall, { body: { call_id: id } })).text).toBe('{"success":true}');
    expect(await eventCame(id, 'terminate')).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('events of calls', () => {
  it('events of calls come to calls_webhook only', async () => {
    const { id } = await incomingCall();
    await eventCame(id, 'connect');
    const others = receiver.received('/messages').map(({ body }) => body.toString());
    expect(others.filter((text) => text.includes(id))).toEqual([]);
  });
});

const calling = operations.filter(({ caller }) => caller === 'number-caller');
/** Only those who may use the operation learn that a request is malformed. */
const malformed = { body: '{"to": ' };

describe('permission to use the call operations', () => {
  it('is given to every member of the workspace', async () => {
    const query = { user_wa_id: newContact() };
    expect((await call(getCallPermission, { query, token: tokens.member })).status).toBe(200);
    expect((await call(makeCall, { body: offerTo(newContact()), token: tokens.member })).status).toBe(200);
  });

  it.each(calling)('is rejected without a valid token: $name', async (contract) => {
    for (const token of [null, createToken()]) expect((await call(contract, { token })).status).toBe(401);
  });

  it('is rejected with 404 for a number that is unknown, not active, or of another workspace', async () => {
    for (const id of [newId(), inactive.id, 'no-uuid', '%00', number.phone_number_id]) {
      const reply = await call(makeCall, { ...malformed, params: { number: id } });
      expect([reply.status, reply.message], id).toEqual([404, 'Number not found or not active.']);
    }
    expect((await call(makeCall, { ...malformed, token: tokens.stranger })).status).toBe(404);
  });

  it('is rejected with 403 and the reason if calling is off, whatever the body is', async () => {
    const reply = await call(makeCall, { ...malformed, params: { number: silent.id } });
    expect([reply.status, reply.message]).toEqual([
      403,
      expect.stringContaining('Calling is not enabled for this number.'),
    ]);
  });

  describe('if calling is off in the workspace', () => {
    let off: PhoneNumber;
    beforeAll(async () => {
      const workspace = await service.newWorkspace();
      off = { ...number, id: newId(), workspace, phone_number_id: '30' };
      await numberStore(service.world.table).create(off);
      await workspaceStore(service.world.table).setCalling(workspace, false);
    });

    it('is rejected with 403 and the reason, whatever the body is', async () => {
      const reply = await call(makeCall, {
        ...malformed,
        params: { number: off.id },
        headers: { 'accept-language': 'es' },
      });
      expect([reply.status, reply.message]).toEqual([
        403,
        expect.stringMatching(/no están habilitadas en este espacio de trabajo/),
      ]);
    });

    it('the number and the workspace show which of them is the reason', async () => {
      const ofNumber = await service.api.succeed(getNumber, { params: { number: off.id } });
      const ofWorkspace = await service.api.succeed(getWorkspace, { params: { workspace: off.workspace } });
      expect([ofNumber.calling_enabled, ofWorkspace.calling_enabled]).toEqual([true, false]);
    });
  });

  it('requires a business account to look up a permission, and names the account', async () => {
    const workspace = await service.newWorkspace({ wabaId: null });
    const unconnected: PhoneNumber = { ...number, id: newId(), workspace, phone_number_id: '29' };
    await numberStore(service.world.table).create(unconnected);
    const params = { number: unconnected.id };
    const { status, message } = await call(getCallPermission, { params, query: { user_wa_id: newContact() } });
    expect([status, message]).toEqual([400, expect.stringContaining('no business account')]);
    expect((await call(getCallPermission, { params })).status).toBe(422);
  });
});

describe('the body of a call operation', () => {
  it('has invalid fields named with dots, in the language of the request', async () => {
    const body = { to: '+1', connection: { webrtc: { sdp: '' } }, session: { sdp_type: 1 } };
    const { status, body: told } = await call(makeCall, { body, headers: { 'accept-language': 'pt' } });
    expect(status).toBe(422);
    expect(told).toEqual({
      message: 'O campo to deve conter apenas dígitos. (e mais 3 erros)',
      errors: {
        to: ['O campo to deve conter apenas dígitos.'],
        'connection.webrtc.sdp': ['O campo connection.webrtc.sdp é obrigatório.'],
        'session.sdp': ['O campo session.sdp é obrigatório.'],
        'session.sdp_type': ['O campo session.sdp type deve ser um texto.'],
      },
    });
  });

  it('must have a call_id that is not empty', async () => {
    for (const contract of [acceptCall, rejectCall, hangUpCall]) {
      for (const call_id of ['', null, 7]) {
        const { status, body } = await call(contract, {
          body: { call_id, ...(contract === acceptCall && { sdp: answer }) },
        });
        expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, ['call_id']]);
      }
    }
  });
});

describe('a rejection by the platform', () => {
  it.each([
    [138001, 400, 400],
    [138000, 401, 403],
    [138002, 429, 429],
    [138004, 500, 502],
  ])('with code %i, which comes with %i, is %i and explained', async (code, upstreamStatus, status) => {
    const { meaning } = errorCodes.call.find((error) => error.code === code) ?? {};
    await service.fault('connect_call', rejection(upstreamStatus, { code }, { 'retry-after': '4' }));
    const reply = await call(makeCall, { body: offerTo(newContact()), headers: { 'accept-language': 'es' } });
    expect(reply.status).toBe(status);
    expect(reply.message.startsWith(meaning ? callErrorTexts[meaning].es : '-')).toBe(true);
    expect(reply.headers.get('x-upstream-error-code')).toBe(String(code));
    expect(reply.headers.get('retry-after')).toBe(status === 429 ? '4' : null);
  });

  it('includes the platform’s own message', async () => {
    await service.fault('terminate_call', {
      kind: 'error',
      status: 400,
      error: { code: 131009, message: '(#131009) Bad', error_data: { details: 'The call_id is odd' } },
    });
    const { message } = await call(hangUpCall, { body: { call_id: 'wacid.1' } });
    expect(message).toMatch(/^The call has ended, .*\. The call_id is odd\.$/);
  });

  it('with an unknown code is mapped as for other operations', async () => {
    const error = { code: 138_999, message: 'New' };
    await service.fault('reject_call', { kind: 'error', status: 400, error });
    const reply = await call(rejectCall, { body: { call_id: 'wacid.1' } });
    expect([reply.status, reply.body, reply.headers.get('x-upstream-error-code')]).toEqual([
      400,
      { message: 'New' },
      '138999',
    ]);
  });

  it('of our credentials is never reported as the caller’s fault', async () => {
    await service.fault('connect_call', rejection(401, { code: 190 }));
    expect((await call(makeCall, { body: offerTo(newContact()) })).status).toBe(502);
  });
});

describe('findings on an SDP', () => {
  it('come in a header if the platform accepts the call', async () => {
    const poor = without(without(offer, 'a=setup'), 'a=rtcp-mux');
    const { status, headers } = await call(makeCall, { body: offerTo(newContact(), poor) });
    expect([status, headers.get('x-sdp-findings')]).toEqual([200, 'no-rtcp-mux,no-setup']);
  });

  it('come after the message of a rejection, and in the header', async () => {
    const reply = await call(makeCall, { body: offerTo(newContact(), without(offer, 'a=fingerprint')) });
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(
      /^The messaging platform rejected the SDP\. .*fingerprint.*\. no-fingerprint: a=fingerprint is missing/,
    );
    expect(reply.headers.get('x-sdp-findings')).toBe('no-fingerprint');
  });

  it('expect an SDP answer when a call is accepted', async () => {
    const { id } = await incomingCall();
    const offered = await call(acceptCall, { body: { call_id: id, sdp: offer } });
    expect([offered.status, offered.headers.get('x-sdp-findings')]).toEqual([400, 'actpass-in-answer']);
    expect(offered.message).toContain('actpass-in-answer: ');
    const started = await call(makeCall, { body: offerTo(newContact(), answer) });
    expect(started.headers.get('x-sdp-findings')).toBe('answer-instead-of-offer');
  });

  it('never keep an SDP from being forwarded', async () => {
    for (const sdp of ['x', ' ', 'v=0', `v=0\r\n${'a=x\r\n'.repeat(100_000)}`, '\ud800\u0000']) {
      const before = (await service.upstreamRequests()).length;
      const { status } = await call(makeCall, { body: offerTo(newContact(), sdp) });
      expect(status).toBe(400);
      expect((await service.upstreamRequests()).slice(before).map(({ operation }) => operation)).toEqual([
        'connect_call',
      ]);
    }
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

describe('call settings', () => {
  const params = { number: silent.id };

  it('are changed by owners only, and the workspace learns of it', async () => {
    const webhook = { webhook: `${receiver.url}/workspace` };
    await service.api.succeed(updateWorkspaceWebhook, { params: { workspace: silent.workspace }, body: webhook });
    const asMember = { token: tokens.member, params };
    expect((await call(getCallSettings, asMember)).body).toMatchObject({ status: 'DISABLED' });
    expect((await call(updateCallSettings, { ...asMember, body: { status: 'ENABLED' } })).status).toBe(403);
    const changed = await call(updateCallSettings, { params, body: { status: 'ENABLED' } });
    expect([changed.status, changed.body]).toEqual([200, { success: true }]);
    expect((await call(getCallSettings, { params })).body).toMatchObject({ status: 'ENABLED' });
    const events = () => receiver.received('/workspace').map(({ body }) => body.toString());
    await expect.poll(() => events().join('\n'), soon).toContain('account_settings_update');
    await service.api.succeed(updateWorkspaceWebhook, {
      params: { workspace: silent.workspace },
      body: { webhook: null },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { phoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';

const contact = '5511988887777';
const servers = [{ hostname: 'sip.example.com' }];

const upstream = forEachTest(() => startTestUpstream());

const configure = (calling: object) => upstream.graph('POST', `/${phoneNumberId}/settings`, { calling });
const act = async (action: string, members: object) => {
  const body = { messaging_product: 'whatsapp', action, ...members };
  return (await upstream.graph('POST', `/${phoneNumberId}/calls`, body)).json;
};
const contactCalls = async () =>
  (await upstream.control('POST', '/calls', { phone_number_id: phoneNumberId, from: contact })).json.id;

describe('a number that takes calls over SIP', () => {
  it('has no operations on calls', async () => {
    const id = await contactCalls();
    await configure({ sip: { status: 'ENABLED', servers } });
    const answer = { call_id: id, session: { sdp_type: 'answer', sdp: sdpAnswer } };
    const connect = { to: contact, session: { sdp_type: 'offer', sdp: sdpOffer } };
    const results = [await act('connect', connect)];
    for (const action of ['pre_accept', 'accept', 'reject', 'terminate']) results.push(await act(action, answer));
    expect(results.map(({ error }) => error.code)).toEqual(Array(5).fill(131055));
    const permissions = await upstream.graph('GET', `/${phoneNumberId}/call_permissions?user_wa_id=${contact}`);
    expect(permissions.status).toBe(200);
  });

  it('cannot be called by contacts here', async () => {
    await configure({ sip: { status: 'ENABLED', servers } });
    const call = { phone_number_id: phoneNumberId, from: contact };
    expect((await upstream.control('POST', '/calls', call)).status).toBe(409);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hourMs } from '#shared/base/time/duration.ts';
import { phoneNumberId, silentPhoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpOffer } from '../events/samples.ts';
import { seededPin } from './number-setup.ts';

let now: number;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  now = Date.parse('2026-11-25T12:00:00Z');
  upstream = await startTestUpstream({ now: () => now });
});
afterEach(() => upstream.close());

const post = (path: string, body: Record<string, unknown> = {}, id = phoneNumberId) =>
  upstream.graph('POST', `/${id}${path}`, { messaging_product: 'whatsapp', ...body });
const register = (pin: unknown = seededPin, id = phoneNumberId) => post('/register', { pin }, id);
const code = async (answer: Promise<{ json: { error?: { code: number } } }>) => (await answer).json.error?.code;
const sendText = () => post('/messages', { to: '+16505551234', type: 'text', text: { body: 'Hello' } });
const call = () =>
  post('/calls', { action: 'connect', to: '16505551234', session: { sdp_type: 'offer', sdp: sdpOffer } });

describe('a number that is deregistered', () => {
  beforeEach(async () => {
    expect((await post('/deregister')).json).toEqual({ success: true });
  });

  it('can neither send nor call until it is registered with its PIN', async () => {
    expect(await code(sendText())).toBe(133010);
    expect(await code(call())).toBe(133010);
    expect(await code(register('654321'))).toBe(133005);
    expect(await code(sendText())).toBe(133010);
    expect((await register()).json).toEqual({ success: true });
    expect((await sendText()).status).toBe(200);
  });

  it('says so in its fields and its health', async () => {
    const fields = 'status,platform_type,throughput,health_status';
    const { json } = await upstream.graph('GET', `/${phoneNumberId}?fields=${fields}`);
    expect(json).toMatchObject({ status: 'DISCONNECTED', platform_type: 'NOT_APPLICABLE' });
    expect(json.health_status.entities[0]).toMatchObject({
      can_send_message: 'BLOCKED',
      errors: expect.arrayContaining([expect.objectContaining({ error_code: 141000 })]),
    });
  });

  it('takes a PIN that was set meanwhile', async () => {
    expect((await upstream.graph('POST', `/${phoneNumberId}`, { pin: '654321' })).json).toEqual({ success: true });
    expect(await code(register())).toBe(133005);
    expect((await register('654321')).status).toBe(200);
  });
});

describe('registration', () => {
  it.each([['12345'], ['1234567'], ['abcdef'], [123456], [undefined]])('rejects the PIN %j', async (pin) => {
    expect(await code(post('/register', pin === undefined ? {} : { pin }))).toBe(100);
  });

  it('needs the messaging product', async () => {
    expect(await code(upstream.graph('POST', `/${phoneNumberId}/register`, { pin: seededPin }))).toBe(100);
  });

  it('is possible ten times in 72 hours for each number, whether it succeeds or not', async () => {
    for (let i = 0; i < 9; i += 1) expect(await code(register('654321'))).toBe(133005);
    expect((await post('/deregister')).status).toBe(200);
    expect(await code(register())).toBe(133016);
    expect(await code(post('/deregister'))).toBe(133016);
    expect((await register(seededPin, silentPhoneNumberId)).status).toBe(200);
    now += 72 * hourMs;
    expect((await register()).status).toBe(200);
  });

  it('concerns numbers only', async () => {
    expect(await code(register(seededPin, '1'))).toBe(100);
  });
});

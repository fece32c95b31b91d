import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpOffer } from '../events/samples.ts';

const contact = '5511988887777';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url, sendingSettings: { windows: 'closed' } });
});
afterEach(async () => {
  await upstream.close();
  await receiver.close();
});

const isOpen = async () => {
  const { data } = (await upstream.control('GET', '/windows')).json;
  return data.some((window: { contact: string }) => window.contact === contact);
};

describe('the 24-hour window', () => {
  it('opens with a call of the contact, before anyone answers', async () => {
    await upstream.control('POST', '/calls', { phone_number_id: phoneNumberId, from: contact });
    expect(await isOpen()).toBe(true);
  });

  it('opens when the contact answers a call of the business, not when the phone rings', async () => {
    const connect = { messaging_product: 'whatsapp', action: 'connect', to: contact };
    const session = { sdp_type: 'offer', sdp: sdpOffer };
    await upstream.graph('POST', `/${phoneNumberId}/calls`, { ...connect, session });
    expect(await isOpen()).toBe(false);
    await upstream.control('POST', '/calls/latest/answer');
    expect(await isOpen()).toBe(true);
  });

  it('opens with a call over SIP, and not with the end of a call', async () => {
    const send = (type: string) =>
      upstream.control('POST', '/events', { events: [{ type, contact: { wa_id: contact } }] });
    await send('call_terminate');
    expect(await isOpen()).toBe(false);
    await send('call_created');
    expect(await isOpen()).toBe(true);
  });
});

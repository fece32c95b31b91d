import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { accessToken, phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';

const contact = '5511988887777';
const purpose = 'to improve our service';

let time = Date.parse('2026-11-01T12:00:00Z');
const receiver = forAllTests(() => startReceiver());
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url, now: () => time }));
beforeAll(async () => {
  await upstream.control('PUT', `/call-permissions/${phoneNumberId}/${contact}`, { status: 'permanent' });
});

const act = (body: object) =>
  upstream.graph('POST', `/${phoneNumberId}/calls`, { messaging_product: 'whatsapp', ...body });
const connect = (members: object) =>
  act({ action: 'connect', to: contact, session: { sdp_type: 'offer', sdp: sdpOffer }, ...members });
const play = (action: string) => upstream.control('POST', `/calls/latest/${action}`);

/** The item of a call in the webhooks, once it is there. */
const found = (id: string, isIt: (item: { id: string; event?: string; type?: string }) => boolean) =>
  vi.waitFor(() => {
    const items = receiver.values().flatMap(({ calls = [], messages = [] }) => [...calls, ...messages]);
    const item = items.find((one) => one.id === id && isIt(one));
    expect(item).toBeDefined();
    return item;
  });
const event = (id: string, name: string) => found(id, (item) => item.event === name);

const download = async (url: string) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe('a call that is recorded and transcribed', () => {
  it('brings links for five minutes, and files by id for seven days', async () => {
    const kept = { status: 'ENABLED', purpose, announcement_language: 'pt_BR' };
    const { id } = (await connect({ recording: kept, transcription: kept })).json.calls[0];
    await play('answer');
    time += 21_000;
    await play('hang-up');
    const { call_recording, ...members } = await event(id, 'call_recording_available');
    expect(members).toEqual({ id, from: contact, timestamp: String(time / 1000), event: 'call_recording_available' });
    const { audio } = call_recording;
    const { status, bytes } = await download(audio.url);
    expect([status, createHash('sha256').update(bytes).digest('base64')]).toEqual([200, audio.sha256]);

    const { document } = (await event(id, 'call_transcription_available')).call_transcript;
    expect(document.mime_type).toBe('application/json');
    const { transcript } = JSON.parse((await download(document.url)).bytes.toString());
    expect(transcript).toMatchObject({ duration: 21, segments: [{ speaker: 'Business' }] });

    time += 5 * 60_000;
    expect((await download(audio.url)).status).toBe(404);
    const byId = () => upstream.graph('GET', `/${audio.id}?phone_number_id=${phoneNumberId}`);
    expect((await download((await byId()).json.url)).status).toBe(200);
    time += 7 * 24 * 3_600_000;
    expect((await byId()).json.error.error_subcode).toBe(33);
  });

  it('may be one of a contact', async () => {
    const { id } = (await upstream.control('POST', '/calls', { from: contact })).json;
    const session = { sdp_type: 'answer', sdp: sdpAnswer };
    await act({ action: 'accept', call_id: id, session, recording: { status: 'ENABLED', purpose } });
    expect((await upstream.control('GET', '/calls/latest')).json).toMatchObject({
      recording: { purpose, announcement_language: null },
      transcription: null,
    });
    await play('hang-up');
    await event(id, 'call_recording_available');
  });

  it.each([
    [{ status: 'ENABLED' }, 100, /recording\['purpose'\] is required/],
    [{ status: 'ENABLED', purpose: 'x'.repeat(251) }, 131009, /250/],
  ])('is rejected if it is asked for with %j', async (recording, code, details) => {
    const { json } = await connect({ recording });
    expect(json.error.code).toBe(code);
    expect(JSON.stringify(json.error)).toMatch(details);
  });
});

it('nothing is kept of a call that was not answered', async () => {
  const { id } = (await connect({ recording: { status: 'ENABLED', purpose } })).json.calls[0];
  await play('no-answer');
  await event(id, 'terminate');
  const sent = receiver.received.map(({ body }) => body.toString()).filter((body) => body.includes(id));
  expect(sent.some((body) => body.includes('call_recording'))).toBe(false);
});

describe('voicemail', () => {
  it('is a message with the id of the unanswered call', async () => {
    const { id } = (await upstream.control('POST', '/calls', { from: contact })).json;
    await play('no-answer');
    expect((await play('voicemail')).status).toBe(200);
    const message = await found(id, ({ type }) => type === 'audio');
    expect(message).toMatchObject({ id, from: contact, audio: { voice: true } });
    expect((await download(message.audio.url)).status).toBe(200);
  });

  it('is for missed calls of contacts only', async () => {
    await connect({});
    await play('no-answer');
    expect((await play('voicemail')).status).toBe(409);
  });
});

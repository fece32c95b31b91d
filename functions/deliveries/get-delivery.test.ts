import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { AttemptRecord } from '#shared/delivery/delivery.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { getDelivery as contract } from './contracts.ts';
import { makeHandler } from './get-delivery.ts';

captureLog();

const world = forAllTests(() => startApiWorld());

const get = (number: PhoneNumber, delivery: string, headers = {}) =>
  world.call({ contract, makeHandler }, number, { pathParameters: { delivery }, headers });

describe('get-delivery', () => {
  it('returns the delivery with its attempts and the exact bytes', async () => {
    const number = await world.newNumber();
    const payload = '{"messages":[{"text":{"body":"Olá 👋 \\"ok\\""}}]}';
    const { id } = await world.newDelivery(number, {
      payload: { text: payload },
      state: 'waiting',
      attempt_count: 1,
      attempts: [
        { at: now - 5_000, duration_ms: 10_000, error: 'timeout' },
        { at: now - 4_000, duration_ms: 31, status: 200, replay: true },
      ],
      next_attempt_at: now + 10_000,
      created_at: now - 5_000,
    });
    const { status, json } = await get(number, id);
    expect(status).toBe(200);
    expect(Object.entries(json)).toEqual([
      ['id', id],
      ['target', 'webhook'],
      ['kind', 'message'],
      ['state', 'waiting'],
      [
        'attempts',
        [
          {
            at: '2026-01-31T08:15:25.123000Z',
            duration_ms: 10_000,
            status: null,
            error: 'timeout',
            explanation: 'There was no response in time. Return 200 first and do the work afterwards.',
            response_excerpt: null,
            replay: false,
          },
          {
            at: '2026-01-31T08:15:26.123000Z',
            duration_ms: 31,
            status: 200,
            error: null,
            explanation: null,
            response_excerpt: null,
            replay: true,
          },
        ],
      ],
      ['next_attempt_at', '2026-01-31T08:15:40.123000Z'],
      ['created_at', '2026-01-31T08:15:25.123000Z'],
      ['payload', payload],
    ]);
  });

  it('names the sent Flow that the message completes', async () => {
    const number = await world.newNumber();
    const sent_flow = { flow: newId(), message: 'wamid.1', contact: '16505551234' };
    const { id } = await world.newDelivery(number, { sent_flow });
    expect((await get(number, id)).json.sent_flow).toEqual(sent_flow);
  });

  it('reads a large payload from the bucket', async () => {
    const number = await world.newNumber();
    world.blobs.set('notifications/1.json', '{"large":true}');
    const { id } = await world.newDelivery(number, { payload: { blob: 'notifications/1.json' } });
    expect((await get(number, id)).json.payload).toBe('{"large":true}');
  });

  it('returns the beginning and a link if the payload is too long for a response', async () => {
    const number = await world.newNumber();
    const blob = 'notifications/2.json';
    const { id } = await world.newDelivery(number, { payload: { blob } });
    // Each of these takes eight bytes in the response of a function.
    for (const [text, fits] of [
      ['\\"'.repeat(700_000), true],
      ['\\"'.repeat(1_300_000), false],
      [`${'a'.repeat(99_999)}😀${'\\"'.repeat(1_300_000)}`, false],
    ] as const) {
      world.blobs.set(blob, text);
      const { status, text: body, json } = await get(number, id);
      expect(status).toBe(200);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6 * 2 ** 20);
      expect(json.payload_url).toBe(fits ? undefined : `https://bucket.example.com/${blob}?name=${id}.json`);
      expect(text.startsWith(json.payload)).toBe(true);
      expect(json.payload.isWellFormed()).toBe(true);
      expect(json.payload.length >= (fits ? text.length : 99_999)).toBe(true);
    }
  });

  it.each<[Partial<AttemptRecord>, string, string | RegExp]>([
    [{ status: 202 }, 'en', /200 counts .* forwarder/],
    [{ status: 308 }, 'es', /redirección.*Location/],
    [{ status: 304 }, 'en', /^(?!.*(redirect|Location)).*return 200/],
    [
      { status: 401 },
      'en',
      'The receiver returned 401: it rejected the notification. Check that its signing secret is the current one.',
    ],
    [{ error: 'dns' }, 'en', 'The host name could not be resolved. Check its DNS records.'],
  ])('explains what went wrong: %j', async (attempt, language, explanation) => {
    const number = await world.newNumber();
    const { id } = await world.newDelivery(number, { attempts: [{ at: now, duration_ms: 1, ...attempt }] });
    const { json } = await get(number, id, { 'accept-language': language });
    expect(json.attempts[0].explanation).toEqual(expect.stringMatching(explanation));
  });

  it('shows a delivery for 30 days', async () => {
    const number = await world.newNumber();
    const { id } = await world.newDelivery(number, { created_at: now - 30 * 86_400_000 });
    expect((await get(number, id)).status).toBe(200);
    const { id: expired } = await world.newDelivery(number, { created_at: now - 30 * 86_400_000 - 1 });
    const { status, json } = await get(number, expired);
    expect(status).toBe(404);
    expect(json).toEqual({ message: 'Delivery not found or older than 30 days.' });
  });

  it('returns 404 for a delivery of another number, for an unknown id and for a malformed id', async () => {
    const { id } = await world.newDelivery(await world.newNumber());
    const number = await world.newNumber();
    for (const unknown of [id, newId(), 'replay']) expect((await get(number, unknown)).status).toBe(404);
  });
});

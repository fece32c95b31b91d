import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startApiWorld } from '#support/worlds/api-world.ts';
import { getWebhook as contract } from './contracts.ts';
import { makeHandler } from './get-webhook.ts';

captureLog();

const operation = { contract, makeHandler };

const world = forAllTests(() => startApiWorld());

describe('get-webhook', () => {
  it('returns the three URLs and nothing else', async () => {
    const number = await world.newNumber({ webhook: 'https://example.com/a', calls_webhook: 'https://example.com/c' });
    const { status, text } = await world.call(operation, number);
    expect(status).toBe(200);
    expect(text).toBe(
      '{"webhook":"https://example.com/a","secondary_webhook":null,"calls_webhook":"https://example.com/c"}',
    );
  });

  it('returns null for URLs that are not set', async () => {
    const { json } = await world.call(operation, await world.newNumber());
    expect(json).toEqual({ webhook: null, secondary_webhook: null, calls_webhook: null });
  });

  it.each([
    ['is unknown', () => ({ id: newId() })],
    ['is not active', () => world.newNumber({ active: false })],
    ['is of a workspace of others', () => world.newNumber({ workspace: newId() })],
  ])('returns 404 for a number that %s', async (_, number) => {
    const { status, json } = await world.call(operation, await number());
    expect(status).toBe(404);
    expect(json).toEqual({ message: 'Number not found or not active.' });
  });
});

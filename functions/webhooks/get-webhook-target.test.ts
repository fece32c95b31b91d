import { describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startApiWorld } from '#support/worlds/api-world.ts';
import { getWebhookTarget as contract } from './contracts.ts';
import { makeHandler } from './get-webhook-target.ts';

captureLog();

const world = forAllTests(() => startApiWorld());

const get = async (number: { id: string }, target: string) => {
  const { status, json } = await world.call({ contract, makeHandler }, number, { pathParameters: { target } });
  return [status, json];
};

describe('get-webhook-target', () => {
  it('shows the events of one target and the names of its headers, but no value', async () => {
    const number = await world.newNumber({ calls_webhook: 'https://example.com/calls' });
    const headers = { origin: 'https://example.com', headers: { authorization: 'Bearer s3cr3t' } };
    await world.targets.changeTarget(number.id, 'calls_webhook', { events: ['calls'], headers });
    expect(await get(number, 'calls_webhook')).toEqual([
      200,
      { url: 'https://example.com/calls', format: 'standard', events: ['calls'], headers: ['authorization'] },
    ]);
    expect(await get(number, 'webhook')).toEqual([200, { url: null, format: 'standard', events: null, headers: [] }]);
  });

  it('knows those of the number only', async () => {
    const [status] = await get(await world.newNumber(), 'main');
    expect(status).toBe(404);
  });
});

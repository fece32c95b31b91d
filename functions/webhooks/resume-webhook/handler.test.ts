import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import { captureLog } from '#test/support/captured-log.ts';
import { now, startWebhookWorld, type WebhookWorld } from '#test/support/webhook-world.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

captureLog();

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());

const resume = (number: PhoneNumber, body?: unknown) => world.call({ contract, makeHandler }, number, { body });

describe('resume-webhook', () => {
  it('closes every open circuit breaker, paused or not, and starts to send held deliveries', async () => {
    const number = await world.newNumber();
    await world.breakTarget(number, 'webhook');
    await world.breakTarget(number, 'calls_webhook');
    await world.targets.pause(number.id, 'calls_webhook', now);
    const { status, json } = await resume(number);
    expect(status).toBe(200);
    expect(json).toEqual({ resumed: ['webhook', 'calls_webhook'] });

    const breakers = (await world.targets.read(number.id))?.breakers;
    for (const target of ['webhook', 'calls_webhook'] as const) {
      expect(breakers?.[target]).not.toHaveProperty('opened_at');
      expect(breakers?.[target]).not.toHaveProperty('paused_at');
      const { token } = breakers?.[target]?.drain ?? {};
      expect(world.queuedFor(number)).toContainEqual({ do: 'drain', number: number.id, target, token });
    }
  });

  it('resumes only the named target', async () => {
    const number = await world.newNumber();
    await world.breakTarget(number, 'webhook');
    await world.breakTarget(number, 'secondary_webhook');
    expect((await resume(number, { target: 'secondary_webhook' })).json).toEqual({ resumed: ['secondary_webhook'] });
    expect((await world.targets.read(number.id))?.breakers.webhook).toMatchObject({ opened_at: now });
  });

  it('changes nothing if no circuit breaker is open', async () => {
    const number = await world.newNumber();
    await world.targets.countFailures(number.id, 'webhook', [{ delivery: number.id, attempt: 'attempt' }]);
    expect((await resume(number)).json).toEqual({ resumed: [] });
    expect(world.queuedFor(number)).toEqual([]);
    expect(Object.keys((await world.targets.read(number.id))?.breakers ?? {})).toEqual(['webhook']);
  });

  it('rejects an unknown target', async () => {
    const { status, json } = await resume(await world.newNumber(), { target: 'third_webhook' });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['target']);
  });
});

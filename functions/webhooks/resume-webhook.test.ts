import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type PhoneNumber, type Target, builtInTargets as targets } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { resumeWebhook as contract } from './contracts.ts';
import { makeHandler } from './resume-webhook.ts';

captureLog();

const url = 'https://example.com/hook';

const world = forAllTests(() => startApiWorld());

const resume = (number: PhoneNumber, body?: unknown) => world.call({ contract, makeHandler }, number, { body });

const breakerOf = async ({ id }: PhoneNumber, target: Target) => (await world.breakers.read(id, target))?.breaker;

describe('resume-webhook', () => {
  it('closes every open circuit breaker, paused or not, and starts to send held deliveries', async () => {
    const number = await world.newNumber({ webhook: url, calls_webhook: url });
    await world.breakTarget(number, 'webhook');
    await world.breakTarget(number, 'calls_webhook');
    await world.breakers.pause(number.id, 'calls_webhook', now);
    const { status, json } = await resume(number);
    expect(status).toBe(200);
    expect(json).toEqual({ resumed: ['webhook', 'calls_webhook'] });

    for (const target of ['webhook', 'calls_webhook'] as const) {
      const breaker = await breakerOf(number, target);
      expect(breaker).not.toHaveProperty('opened_at');
      expect(breaker).not.toHaveProperty('paused_at');
      const token = breaker?.drain?.token;
      expect(token).toEqual(expect.any(String));
      expect(world.queuedFor(number)).toContainEqual({ task: 'drain', subscriber: number.id, target, token });
    }
  });

  it('resumes only the named target', async () => {
    const number = await world.newNumber({ webhook: url, secondary_webhook: url });
    await world.breakTarget(number, 'webhook');
    await world.breakTarget(number, 'secondary_webhook');
    expect((await resume(number, { target: 'secondary_webhook' })).json).toEqual({ resumed: ['secondary_webhook'] });
    expect(await breakerOf(number, 'webhook')).toMatchObject({ opened_at: now });
  });

  it('changes nothing if no circuit breaker is open', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakers.countFailures(number.id, 'webhook', { url, failed: [newId()] });
    const before = await world.targets.read(number.id);
    expect(targets.map((target) => before?.targets[target].breaker.failures)).toEqual([1, 0, 0]);
    expect((await resume(number)).json).toEqual({ resumed: [] });
    expect(world.queuedFor(number)).toEqual([]);
    expect(await world.targets.read(number.id)).toEqual(before);
  });

  it('resume-webhook rejects an unknown target', async () => {
    const { status, json } = await resume(await world.newNumber(), { target: 'third_webhook' });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['target']);
  });
});

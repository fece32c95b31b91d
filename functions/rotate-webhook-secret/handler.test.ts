import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumber } from '../../shared/numbers/number.ts';
import type { TargetStore } from '../../shared/storage/targets.ts';
import { captureLog } from '../../test/support/captured-log.ts';
import { now, startWebhookWorld, type WebhookWorld } from '../../test/support/webhook-world.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

const log = captureLog();

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());

const rotate = (number: PhoneNumber, targets: TargetStore = world.targets) => {
  const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, targets }) };
  return world.call(operation, number);
};

describe('rotate-webhook-secret', () => {
  it('gives a number its first secret', async () => {
    const number = await world.newNumber();
    const { status, json } = await rotate(number);
    expect(status).toBe(200);
    expect(json).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), previous_valid_until: null });
    expect(await world.targets.getSecrets(number.id)).toEqual({ current: json.secret });
    expect(JSON.stringify(log)).not.toContain(json.secret);
  });

  it('lets the one before sign for 24 hours more', async () => {
    const number = await world.newNumber();
    const first = (await rotate(number)).json.secret;
    const { json } = await rotate(number);
    expect(json.secret).not.toBe(first);
    expect(json.previous_valid_until).toBe('2026-02-01T08:15:30.123000Z');
    expect(await world.targets.getSecrets(number.id)).toEqual({
      current: json.secret,
      previous: first,
      previous_valid_until: now + 86_400_000,
    });
  });

  it.each([
    ['first', 0],
    ['next', 1],
  ])('tells who is overtaken by another request that nothing was done: the %s secret', async (_, before) => {
    const number = await world.newNumber();
    for (let count = 0; count < before; count++) await rotate(number);
    let other: string | undefined;
    const { status, json } = await rotate(number, {
      ...world.targets,
      async getSecrets(id) {
        const known = await world.targets.getSecrets(id);
        other ??= (await rotate(number)).json.secret;
        return known;
      },
    });
    expect(status).toBe(409);
    expect(json).toEqual({ message: expect.stringContaining('another request') });
    expect((await world.targets.getSecrets(number.id))?.current).toBe(other);
  });
});

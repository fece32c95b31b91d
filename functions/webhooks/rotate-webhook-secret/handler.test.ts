import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { timestamp } from '#shared/base/clock.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import { validSecrets } from '#shared/domain/accounts/subscriber.ts';
import type { TargetStore } from '#shared/domain/deliveries/target-store.ts';
import { captureLog } from '#test/support/captured-log.ts';
import { now, startWebhookWorld, type WebhookWorld } from '#test/support/webhook-world.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

const log = captureLog();

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.now = now;
});

const day = 86_400_000;

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

  it('lets each previous secret sign for another 24 hours', async () => {
    const number = await world.newNumber();
    const [first, second] = [(await rotate(number)).json.secret, (await rotate(number)).json.secret];
    world.clock.now += 5_000;
    const { json } = await rotate(number);
    expect(new Set([first, second, json.secret]).size).toBe(3);
    expect(json.previous_valid_until).toBe('2026-02-01T08:15:35.123000Z');
    expect(await world.targets.getSecrets(number.id)).toEqual({
      current: json.secret,
      replaced: [
        { secret: second, valid_until: now + day + 5_000 },
        { secret: first, valid_until: now + day },
      ],
    });
  });

  it('is rejected while five previous secrets are valid, and says when it is possible again', async () => {
    const number = await world.newNumber();
    for (let count = 0; count < 6; count++) {
      expect((await rotate(number)).status).toBe(200);
      world.clock.now += 60_000;
    }
    const before = await world.targets.getSecrets(number.id);
    const { status, json, headers } = await rotate(number);
    // The first was replaced a minute after the clock began, six minutes have passed, and it has 24 hours from then.
    expect([status, headers['retry-after']]).toEqual([429, String((day - 300_000) / 1000)]);
    expect(json).toEqual({ message: expect.stringContaining('2026-02-01T08:16:30.123000Z') });
    expect(await world.targets.getSecrets(number.id)).toEqual(before);

    world.clock.now += day - 300_000;
    expect((await rotate(number)).status).toBe(200);
    expect((await world.targets.getSecrets(number.id))?.replaced).toHaveLength(5);
  });

  it('gives each of two simultaneous requests a secret that signs', async () => {
    const number = await world.newNumber();
    const rotations = await Promise.all([rotate(number), rotate(number), rotate(number)]);
    expect(rotations.map(({ status }) => status)).toEqual([200, 200, 200]);
    const kept = await world.targets.getSecrets(number.id);
    const made = rotations.map(({ json }) => json.secret);
    expect(kept && validSecrets(kept, now).sort()).toEqual(made.sort());
  });

  it.each([0, 1])('recognises its own secret if the response to its write was lost (%i before)', async (before) => {
    const number = await world.newNumber();
    for (let count = 0; count < before; count++) await rotate(number);
    const { status, json } = await rotate(number, {
      ...world.targets,
      async replaceSecrets(...write) {
        await world.targets.replaceSecrets(...write);
        return world.targets.replaceSecrets(...write);
      },
    });
    expect(status).toBe(200);
    const kept = await world.targets.getSecrets(number.id);
    expect(kept?.current).toBe(json.secret);
    expect(kept?.replaced ?? []).toHaveLength(before);
    expect(json.previous_valid_until).toBe(before === 0 ? null : timestamp(world.clock.now + day));
  });

  it('recognises its own secret even if another rotation came in between', async () => {
    const number = await world.newNumber();
    await rotate(number);
    let other: string | undefined;
    const { status, json } = await rotate(number, {
      ...world.targets,
      async replaceSecrets(...write) {
        await world.targets.replaceSecrets(...write);
        other ??= (await rotate(number)).json.secret;
        return world.targets.replaceSecrets(...write);
      },
    });
    expect([status, json.previous_valid_until]).toEqual([200, timestamp(world.clock.now + day)]);
    const kept = await world.targets.getSecrets(number.id);
    expect([kept?.current, kept?.replaced?.[0]?.secret]).toEqual([other, json.secret]);
  });

  it('reads once if no other rotation is in progress', async () => {
    const number = await world.newNumber();
    let reads = 0;
    const getSecrets: TargetStore['getSecrets'] = (id) => {
      reads++;
      return world.targets.getSecrets(id);
    };
    expect(await rotate(number, { ...world.targets, getSecrets })).toMatchObject({ status: 200 });
    expect(reads).toBe(1);
  });

  it('fails without a change if other requests keep changing the number', async () => {
    const number = await world.newNumber();
    let tries = 0;
    const replaceSecrets = async () => {
      tries++;
      return false;
    };
    const { status, json } = await rotate(number, { ...world.targets, replaceSecrets });
    expect([status, tries]).toEqual([409, 10]);
    expect(json).toEqual({ message: expect.stringContaining('not rotated') });
    expect(await world.targets.getSecrets(number.id)).toBeUndefined();
  });
});

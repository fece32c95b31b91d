import { beforeEach, describe, expect, it } from 'vitest';
import { timestamp } from '#shared/base/time.ts';
import { type PhoneNumber, builtInTargets as targetNames } from '#shared/webhooks/subscriber.ts';
import type { SecretStore } from '#shared/webhooks/subscriber-store.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { rotateWebhookSecret as contract } from './contracts.ts';
import { makeHandler } from './rotate-webhook-secret.ts';

const log = captureLog();

const world = forAllTests(() => startApiWorld());
beforeEach(() => {
  world.clock.now = now;
});

const day = 86_400_000;

/** Rotates the secret, with another store in part. */
const rotate = (number: Pick<PhoneNumber, 'id'>, { secrets: part }: { secrets?: Partial<SecretStore> } = {}) => {
  const secrets = { ...world.secrets, ...part };
  return world.call({ contract, makeHandler: () => makeHandler({ ...world.dependencies, secrets }) }, number);
};

async function secretsOf({ id }: PhoneNumber) {
  const found = await world.secrets.get(id);
  if (!found) throw new Error('The number is gone');
  return found;
}

/** The version of each target, and that with which the secrets changed last, if they did. */
async function versionsOf({ id }: PhoneNumber) {
  const settings = await world.targets.read(id);
  return targetNames.map((target) => {
    const { version, secrets_version } = settings?.targets[target] ?? {};
    return [version, secrets_version].filter((each) => each !== undefined);
  });
}

describe('rotate-webhook-secret', () => {
  it('replaces the secret with which a number begins', async () => {
    const number = await world.newNumber();
    const first = await secretsOf(number);
    expect(first).toEqual({ current: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const { status, json } = await rotate(number);
    expect(status).toBe(200);
    expect(json).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_valid_until: '2026-02-01T08:15:30.123000Z',
    });
    expect(await secretsOf(number)).toEqual({
      current: json.secret,
      replaced: [{ secret: first.current, valid_until: now + day }],
    });
    expect(JSON.stringify(log)).not.toContain('whsec_');
  });

  it('lets each previous secret sign for another 24 hours', async () => {
    const number = await world.newNumber();
    const [first, second] = [(await secretsOf(number)).current, (await rotate(number)).json.secret];
    world.clock.now += 5_000;
    const { json } = await rotate(number);
    expect(new Set([first, second, json.secret]).size).toBe(3);
    expect(json.previous_valid_until).toBe('2026-02-01T08:15:35.123000Z');
    expect(await secretsOf(number)).toMatchObject({
      current: json.secret,
      replaced: [
        { secret: second, valid_until: now + day + 5_000 },
        { secret: first, valid_until: now + day },
      ],
    });
  });

  it('is rejected while five previous secrets are valid, and says when it is possible again', async () => {
    const number = await world.newNumber();
    for (let count = 0; count < 5; count++) {
      expect((await rotate(number)).status).toBe(200);
      world.clock.now += 60_000;
    }
    const before = await secretsOf(number);
    const { status, json, headers } = await rotate(number);
    // The first was replaced when the clock began, five minutes have passed, and it has 24 hours from then.
    expect([status, headers['retry-after']]).toEqual([429, String((day - 300_000) / 1000)]);
    expect(json).toEqual({ message: expect.stringContaining('2026-02-01T08:15:30.123000Z') });
    expect(await secretsOf(number)).toEqual(before);

    world.clock.now += day - 300_000;
    expect((await rotate(number)).status).toBe(200);
    expect((await secretsOf(number)).replaced).toHaveLength(5);
  });

  it.each([0, 1])('recognises its own secret if the response to its write was lost (%i before)', async (before) => {
    const number = await world.newNumber();
    for (let count = 0; count < before; count++) await rotate(number);
    const replace: SecretStore['replace'] = async (...write) => {
      await world.secrets.replace(...write);
      return world.secrets.replace(...write);
    };
    const { status, json } = await rotate(number, { secrets: { replace } });
    expect(status).toBe(200);
    const kept = await secretsOf(number);
    expect(kept.current).toBe(json.secret);
    expect(kept.replaced).toHaveLength(before + 1);
    expect(json.previous_valid_until).toBe(timestamp(world.clock.now + day));
  });

  it('recognises its own secret even if another rotation came in between', async () => {
    const number = await world.newNumber();
    let other: string | undefined;
    const replace: SecretStore['replace'] = async (...write) => {
      await world.secrets.replace(...write);
      other ??= (await rotate(number)).json.secret;
      return world.secrets.replace(...write);
    };
    const { status, json } = await rotate(number, { secrets: { replace } });
    expect([status, json.previous_valid_until]).toEqual([200, timestamp(world.clock.now + day)]);
    const kept = await secretsOf(number);
    expect([kept.current, kept.replaced?.[0]?.secret]).toEqual([other, json.secret]);
  });

  it('reads once if no other rotation is in progress', async () => {
    const number = await world.newNumber();
    let reads = 0;
    const get: SecretStore['get'] = (id) => {
      reads++;
      return world.secrets.get(id);
    };
    expect(await rotate(number, { secrets: { get } })).toMatchObject({ status: 200 });
    expect(reads).toBe(1);
  });

  it('fails without a change if other requests keep changing the secret', async () => {
    const number = await world.newNumber();
    const before = await secretsOf(number);
    let tries = 0;
    const replace = async () => {
      tries++;
      return false;
    };
    const { status, json } = await rotate(number, { secrets: { replace } });
    expect([status, tries]).toEqual([409, 10]);
    expect(json).toEqual({ message: expect.stringContaining('not rotated') });
    expect(await secretsOf(number)).toEqual(before);
    expect(await versionsOf(number)).toEqual([[0], [0], [0]]);
  });

  it('returns 404 for a number that is deleted meanwhile', async () => {
    const { status, json } = await rotate(await world.newNumber(), { secrets: { get: async () => undefined } });
    expect({ status, json }).toEqual({ status: 404, json: { message: 'Number not found or not active.' } });
  });
});

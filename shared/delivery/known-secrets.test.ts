import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type DeliverySettings, newTarget, type Target, type TargetRecord } from '#shared/webhooks/subscriber.ts';
import {
  rememberSecrets,
  type SecretStore,
  type SecretsReader,
  type SubscriberSecrets,
} from '#shared/webhooks/subscriber-store.ts';

const id = newId();
let now: number;
let secretReads: string[];
let secretsFor: SecretsReader;

beforeEach(() => {
  now = Date.UTC(2026, 0, 31);
  secretReads = [];
  secretsFor = knowing();
});

/** The settings of a subscriber with these members of its targets. */
const settingsOf = (
  subscriber: string,
  targets: Partial<Record<Target, Partial<TargetRecord>>> = {},
): DeliverySettings => ({
  subscriber: { id: subscriber, workspace: newId(), active: true },
  targets: {
    webhook: { ...newTarget(), ...targets.webhook },
    secondary_webhook: { ...newTarget(), ...targets.secondary_webhook },
    calls_webhook: { ...newTarget(), ...targets.calls_webhook },
  },
});

/** A process that reads secrets so, by default new ones each time. */
const knowing = (read: SecretStore['get'] = async () => ({ current: `secret ${secretReads.length}`, headers: {} })) =>
  rememberSecrets(
    (subscriber) => {
      secretReads.push(subscriber);
      return read(subscriber);
    },
    () => now,
  );

describe('the secrets of a subscriber', () => {
  const first = { current: 'secret 1', headers: {} };
  const second = { current: 'secret 2', headers: {} };

  /** The settings of a webhook whose secrets last changed with this version. */
  const changedAt = (secrets_version?: number) =>
    settingsOf(id, { webhook: { version: 9, ...(secrets_version && { secrets_version }) } });

  /** What a batch of its own gets for such a webhook. */
  const secretsAt = (secrets_version?: number, memory = secretsFor) => memory(changedAt(secrets_version), 'webhook');

  it('are remembered as long as they have not changed since, as far as the settings tell', async () => {
    expect(await secretsAt(2)).toEqual(first);
    expect(await secretsAt(2)).toEqual(first);
    expect(await secretsAt(1)).toEqual(first);
    expect(await secretsAt()).toEqual(first);
    expect(secretReads).toEqual([id]);
  });

  it('are remembered whatever else changes, such as a URL, or failures in a row', async () => {
    for (const version of [7, 8, 9]) {
      const webhook = { version, secrets_version: 7, url: `https://example.com/${version}` };
      expect(await secretsFor(settingsOf(id, { webhook }), 'webhook')).toEqual(first);
    }
    expect(secretReads).toEqual([id]);
  });

  it.each([
    ['the first', undefined],
    ['another', 1],
  ])('are read again after %s change, and then remembered', async (_, before) => {
    await secretsAt(before);
    expect(await secretsAt(2)).toEqual(second);
    expect(await secretsAt(2)).toEqual(second);
    expect(secretReads).toEqual([id, id]);
  });

  it('are read again for a target that notes a change, not for the others', async () => {
    const noted = { version: 2, secrets_version: 1 };
    await secretsFor(settingsOf(id, { webhook: noted, calls_webhook: noted }), 'webhook');
    const changed = settingsOf(id, { webhook: noted, calls_webhook: { version: 2, secrets_version: 2 } });
    expect(await secretsFor(changed, 'webhook')).toEqual(first);
    expect(await secretsFor(changed, 'secondary_webhook')).toEqual(first);
    expect(await secretsFor(changed, 'calls_webhook')).toEqual(second);
    // One read is enough for all that was known when it began.
    expect(await secretsFor(changed, 'webhook')).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('are read again if a process learns of a change while a read is in progress', async () => {
    const answers = [Promise.withResolvers<SubscriberSecrets>(), Promise.withResolvers<SubscriberSecrets>()];
    const memory = knowing((_) => answers[secretReads.length - 1]?.promise ?? Promise.reject());
    const early = secretsAt(1, memory);
    const late = secretsAt(2, memory);
    expect(secretReads).toHaveLength(2);
    // The read that began first ends last.
    answers[1]?.resolve(second);
    expect(await late).toEqual(second);
    answers[0]?.resolve(first);
    expect(await early).toEqual(first);
    expect(await secretsAt(2, memory)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('are remembered for ten minutes from the start of their read', async () => {
    const read = Promise.withResolvers<SubscriberSecrets>();
    const slow = knowing(() => read.promise);
    const reading = secretsAt(1, slow);
    now += 300_000;
    read.resolve(first);
    await reading;
    now += 300_000;
    await secretsAt(1, slow);
    expect(secretReads).toHaveLength(1);
    now += 1;
    await secretsAt(1, slow);
    expect(secretReads).toHaveLength(2);
  });

  it('are read once for all messages that need them at once, and for each subscriber', async () => {
    const other = newId();
    const asked = [id, id, other, id].map((one) => secretsFor(settingsOf(one), 'webhook'));
    const found = await Promise.all([...asked, secretsAt()]);
    expect(secretReads).toEqual([id, other]);
    expect(new Set(found.filter((_, index) => index !== 2))).toEqual(new Set([found[0]]));
    expect(found[2]).not.toBe(found[0]);
  });

  it('are read again after a failed read, which fails for all that wait for it', async () => {
    const memory = knowing(() =>
      secretReads.length === 1 ? Promise.reject(new Error('no table')) : Promise.resolve(second),
    );
    const asked = await Promise.allSettled([secretsAt(1, memory), secretsAt(1, memory)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(secretReads).toHaveLength(1);
    expect(await secretsAt(1, memory)).toEqual(second);
    expect(await secretsAt(1, memory)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('stay known if an earlier read fails after a later one', async () => {
    const answers = [Promise.withResolvers<SubscriberSecrets>(), Promise.withResolvers<SubscriberSecrets>()];
    const remembered = knowing((_) => answers[secretReads.length - 1]?.promise ?? Promise.reject());
    const early = secretsAt(1, remembered);
    const late = secretsAt(2, remembered);
    answers[1]?.resolve(second);
    expect(await late).toEqual(second);
    answers[0]?.reject(new Error('no table'));
    await expect(early).rejects.toThrow('no table');
    expect(await secretsAt(2, remembered)).toEqual(second);
    expect(secretReads).toHaveLength(2);
  });

  it('do not exist if the subscriber was deleted', async () => {
    expect(
      await secretsAt(
        1,
        knowing(async () => undefined),
      ),
    ).toBeUndefined();
  });

  it('are remembered for a limited number of subscribers', async () => {
    const readOthers = async (count: number) => {
      for (let each = 0; each < count; each++) await secretsFor(settingsOf(newId()), 'webhook');
    };
    const readsOf = (subscriber: string) => secretReads.filter((each) => each === subscriber).length;
    await secretsAt(1);
    await readOthers(4_999);
    await secretsAt(1);
    expect(readsOf(id)).toBe(1);
    await readOthers(5_000);
    await secretsAt(1);
    expect(readsOf(id)).toBe(2);
  });
});

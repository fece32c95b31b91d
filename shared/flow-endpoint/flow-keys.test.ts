import { beforeAll, describe, expect, it } from 'vitest';
import { phoneNumber } from '#support/phone-number.ts';
import type { RegisteredKey, UpstreamEncryption } from './encryption-graph.ts';
import type { FlowKey } from './flow-key-store.ts';
import { createFlowKey, ensureRegistered, publicKeyOf, readRegistration } from './flow-keys.ts';

type KeyName = 'newest' | 'previous' | 'foreign';

let keys: Record<KeyName, FlowKey>;
let ours: readonly FlowKey[];

beforeAll(async () => {
  const [newest, previous, foreign] = await Promise.all([createFlowKey(2), createFlowKey(1), createFlowKey(0)]);
  keys = { newest, previous, foreign };
  ours = [newest, previous];
});

const number = phoneNumber();

/** An upstream that reports this key for every number. */
function upstreamWith(name: KeyName | undefined, signatureStatus?: string) {
  const key = name && keys[name];
  const registered: string[] = [];
  const reported: RegisteredKey | undefined = key && { publicKey: publicKeyOf(key), signatureStatus };
  const encryption: UpstreamEncryption = {
    registeredKey: async () => reported ?? 'none',
    register: async (_, publicKey) => void registered.push(publicKey),
  };
  return { encryption, registered };
}

describe('a key', () => {
  it.each([
    ['none', undefined, undefined],
    ['current', 'newest', 'VALID'],
    ['current', 'newest', undefined],
    ['mismatch', 'newest', 'MISMATCH'],
    ['previous', 'previous', 'VALID'],
    ['foreign', 'foreign', 'VALID'],
  ] as const)('has the registration state %s', async (expected, key, signatureStatus) => {
    const { encryption } = upstreamWith(key, signatureStatus);
    expect(await readRegistration(number, ours, encryption)).toBe(expected);
  });

  it.each([
    ['there is none', undefined, 'VALID'],
    ['the previous one is registered', 'previous', 'VALID'],
    ['the number was registered anew', 'newest', 'MISMATCH'],
  ] as const)('is registered by the service if %s', async (_, key, signatureStatus) => {
    const { encryption, registered } = upstreamWith(key, signatureStatus);
    await ensureRegistered([number], ours, encryption);
    expect(registered).toEqual([publicKeyOf(keys.newest)]);
  });

  it('is not registered twice, or over a key that is not ours', async () => {
    const current = upstreamWith('newest', 'VALID');
    await ensureRegistered([number], ours, current.encryption);
    const other = upstreamWith('foreign', 'VALID');
    await expect(ensureRegistered([number], ours, other.encryption)).rejects.toThrow('flow-endpoint.foreign-key');
    expect([...current.registered, ...other.registered]).toEqual([]);
  });

  it('is registered for the other numbers if the upstream does not know one, which is reported', async () => {
    const unknown = phoneNumber({ phone_number_id: '404', display_phone_number: '+1 555 0199' });
    const registered: string[] = [];
    const encryption: UpstreamEncryption = {
      registeredKey: async (phoneNumberId) => (phoneNumberId === '404' ? 'unknown-number' : 'none'),
      register: async (phoneNumberId) => void registered.push(phoneNumberId),
    };
    const ensured = ensureRegistered([unknown, number], ours, encryption);
    await expect(ensured).rejects.toMatchObject({
      code: 'flow-endpoint.unknown-number',
      values: { number: '+1 555 0199', id: unknown.id },
    });
    expect(registered).toEqual([number.phone_number_id]);
  });
});

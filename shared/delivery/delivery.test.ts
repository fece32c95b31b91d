import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { deliveryId } from './delivery.ts';

const identity = { subscriber: 'n', target: 'webhook', key: 'message:wamid.1', timestampMs: 1_795_000_000_000 };
const identities = fc.record({
  subscriber: anyUnicode,
  target: fc.constantFrom('webhook', 'secondary_webhook', 'calls_webhook'),
  key: anyUnicode,
  timestampMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
});

describe('deliveryId', () => {
  it('never changes, so a repeat after a deployment is still recognised', () => {
    expect(deliveryId(identity)).toBe('01a1ee56-5e00-8de3-8122-0b656f323273');
  });

  it('consists of the time and the hash', () => {
    const id = deliveryId(identity).replaceAll('-', '');
    const hash = createHash('sha256').update('["n","webhook","message:wamid.1"]').digest('hex');
    expect(Number.parseInt(id.slice(0, 12), 16)).toBe(identity.timestampMs);
    expect([id.slice(13, 16), id.slice(17)]).toEqual([hash.slice(13, 16), hash.slice(17, 32)]);
  });

  it('is a UUID of version 8 for every event', () => {
    fc.assert(
      fc.property(identities, (any) => {
        expect([validate(deliveryId(any)), version(deliveryId(any))]).toEqual([true, 8]);
      }),
    );
  });

  it('sorts by the time of the event', () => {
    fc.assert(
      fc.property(identities, identities, (a, b) => {
        fc.pre(a.timestampMs < b.timestampMs);
        expect(deliveryId(a) < deliveryId(b)).toBe(true);
      }),
    );
  });

  it('depends on the subscriber, the target, the event and its time', () => {
    const others = [
      { ...identity, subscriber: 'm' },
      { ...identity, target: 'secondary_webhook' },
      { ...identity, key: 'message:wamid.2' },
      { ...identity, timestampMs: identity.timestampMs + 1 },
      { ...identity, subscriber: 'n","webhook', target: '' },
    ];
    expect(new Set([identity, ...others].map(deliveryId)).size).toBe(6);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerUrlFault } from './customer-url.ts';

describe('customerUrlFault', () => {
  it.each(['https://example.com', 'https://example.com/flows?tenant=1#top', 'https://exämple.com/caminho/ação'])(
    'finds none in %s',
    (url) => {
      expect(customerUrlFault(url)).toBeUndefined();
    },
  );

  it.each([
    ['malformed', 'example.com'],
    ['scheme', 'http://example.com'],
    ['credentials', 'https://user@example.com'],
    ['forbidden-address', 'https://10.0.0.1'],
    ['port', 'https://example.com:22'],
  ])('finds the fault %s in %s', (fault, url) => {
    expect(customerUrlFault(url)).toBe(fault);
  });

  it('goes by the environment, which names our own addresses and allows no loopback', () => {
    expect(customerUrlFault('http://localhost')).toBe('forbidden-address');
    expect(customerUrlFault('https://api.example.com/v2/messaging/events')).toBe('own-address');
    expect(customerUrlFault('https://abcdef.execute-api.us-east-1.amazonaws.com')).toBe('own-address');
  });

  it('takes no text that is not an https URL as it stands', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true })), (text) => {
        const isHttps = /^https:\S+$/i.test(text) && new URL(text).protocol === 'https:';
        if (customerUrlFault(text) === undefined) expect(isHttps).toBe(true);
      }),
    );
  });
});

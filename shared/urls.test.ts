import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllowList } from './outgoing/addresses.ts';
import { isCustomerUrl } from './urls.ts';

describe('isCustomerUrl', () => {
  it.each(['https://example.com', 'https://example.com/flows?tenant=1#top', 'https://exämple.com/caminho/ação'])(
    'takes %s',
    (url) => {
      expect(isCustomerUrl(url)).toBe(true);
    },
  );

  it.each([
    'example.com',
    'http://example.com',
    'https://user@example.com',
    'https://10.0.0.1',
    'https://example.com:22',
  ])('refuses %s', (url) => {
    expect(isCustomerUrl(url)).toBe(false);
  });

  it('goes by the environment, which allows no loopback where nothing is said', () => {
    expect(isCustomerUrl('http://localhost')).toBe(false);
    expect(isCustomerUrl('http://localhost', parseAllowList('127.0.0.0/8'))).toBe(true);
  });

  it('takes no text that is not an https URL as it stands', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true })), (text) => {
        const isHttps = /^https:\S+$/i.test(text) && new URL(text).protocol === 'https:';
        if (isCustomerUrl(text)) expect(isHttps).toBe(true);
      }),
    );
  });
});

import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isHubSigned } from './event-signature.ts';

const body = Buffer.from('{"text":"\\u00e4\\u00f6","list": [1,2]}');
const sign = (secret: string, bytes: Uint8Array = body) =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

describe('isHubSigned', () => {
  it('gives the digest of RFC 4231, test case 2', () => {
    const header = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const request = { header, body: Buffer.from('what do ya want for nothing?') };
    expect(isHubSigned({ ...request, appSecrets: ['Jefe'] })).toBe(true);
    expect(isHubSigned({ ...request, appSecrets: ['jefe'] })).toBe(false);
  });

  it('accepts the signature of any of the secrets', () => {
    for (const secret of ['a', 'b', 'c']) {
      expect(isHubSigned({ header: sign(secret), body, appSecrets: ['a', 'b', 'c'] })).toBe(true);
    }
    expect(isHubSigned({ header: sign('d'), body, appSecrets: ['a', 'b', 'c'] })).toBe(false);
  });

  it('compares the bytes, not their meaning', () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(isHubSigned({ header: sign('a'), body: rewritten, appSecrets: ['a'] })).toBe(false);
    const invalid = Buffer.of(0xff);
    expect(isHubSigned({ header: sign('a', invalid), body: invalid, appSecrets: ['a'] })).toBe(true);
    expect(isHubSigned({ header: sign('a', invalid), body: Buffer.of(0xfe), appSecrets: ['a'] })).toBe(false);
  });

  it('accepts the digest in capital letters too', () => {
    const header = sign('a').toUpperCase().replace('SHA256', 'sha256');
    expect(isHubSigned({ header, body, appSecrets: ['a'] })).toBe(true);
  });

  it.each([
    undefined,
    '',
    'sha256=',
    'sha256',
    sign('a').slice(0, -1),
    `${sign('a')}0`,
    `${sign('a')}\n`,
    ` ${sign('a')}`,
    sign('a').replace('sha256', 'sha1'),
    sign('a').slice('sha256='.length),
    `sha256=${'é'.repeat(32)}`,
    `sha256=${'0'.repeat(64)}`,
  ])('rejects the invalid header %j', (header) => {
    expect(isHubSigned({ header, body, appSecrets: ['a'] })).toBe(false);
  });

  it('rejects every signature while there is no secret', () => {
    expect(isHubSigned({ header: sign(''), body, appSecrets: [] })).toBe(false);
    expect(isHubSigned({ header: sign(''), body, appSecrets: [''] })).toBe(false);
  });
});

import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import {
  headerFaults,
  headerNames,
  headersFor,
  referenceHeaders,
  secretsIn,
  storedHeaders,
} from './receiver-headers.ts';
import { showsSecret } from './secret-in-text.ts';

const rulesOf = (headers: Record<string, string>) => headerFaults(headers).map(({ field, rule }) => [field, rule]);

describe('headers of a receiver', () => {
  it.each([
    [{}],
    [{ Authorization: 'Bearer abc.def' }],
    [{ 'X-Tenant': 'acme', cookie: 'a=b; c=d', "!#$%&'*+.^_`|~1": '~' }],
    [{ 'x-long': 'v'.repeat(1_000) }],
    [{ a: '1', b: '2', c: '3', d: '4', e: '5' }],
  ])('headers of a receiver may be %j', (headers) => {
    expect(headerFaults(headers)).toEqual([]);
  });

  it.each<[Record<string, string>, string, string]>([
    [{ a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' }, 'headers', 'max_array'],
    [{ 'X-A': '1', 'x-a': '2' }, 'headers', 'distinct'],
    [{ '': '1' }, 'headers', 'header_name'],
    [{ 'a b': '1' }, 'headers', 'header_name'],
    [{ 'a:': '1' }, 'headers', 'header_name'],
    [{ 'a\r\nb': '1' }, 'headers', 'header_name'],
    [{ '\u00e9': '1' }, 'headers', 'header_name'],
    [{ ['x'.repeat(65)]: '1' }, 'headers', 'header_name'],
    [JSON.parse('{"__proto__": "1"}'), 'headers', 'header_name'],
    [{ a: '' }, 'headers.a', 'header_value'],
    [{ a: ' b' }, 'headers.a', 'header_value'],
    [{ a: 'b\t' }, 'headers.a', 'header_value'],
    [{ a: 'b\r\nc: d' }, 'headers.a', 'header_value'],
    [{ a: 'b\u0000' }, 'headers.a', 'header_value'],
    [{ a: 'ñ' }, 'headers.a', 'header_value'],
    [{ a: 'v'.repeat(1_001) }, 'headers.a', 'header_value'],
  ])('cannot be %j', (headers, field, rule) => {
    expect(rulesOf(headers)).toEqual([[field, rule]]);
  });

  it.each([
    'Host',
    'content-type',
    'Content-Length',
    'content-anything',
    'Connection',
    'transfer-encoding',
    'TE',
    'Upgrade',
    'proxy-authorization',
    'Via',
    'messaging-service-via',
    'User-Agent',
    'Webhook-Signature',
    'webhook-anything',
    'X-Flow-Id',
    'x-contact',
    'x-message-id',
    'x-hub-signature-256',
  ])('cannot replace what the service or the connection sets: %s', (name) => {
    expect(rulesOf({ [name]: 'value' })).toEqual([[`headers.${name}`, 'header_reserved']]);
  });

  it('that are accepted are valid for HTTP, and what an error says never repeats a value', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, value) => {
        const faults = headerFaults({ [name]: value });
        if (faults.length > 0) {
          expect(Object.values(faults[0]?.values ?? {}).map(String)).not.toContain(value);
          return;
        }
        validateHeaderName(name);
        validateHeaderValue(name, value);
      }),
    );
  });

  it('are stored with their names in lower case', () => {
    expect(storedHeaders({ 'X-Tenant': 'Acme' }, 'https://example.com:443/hook')).toEqual({
      origin: 'https://example.com',
      headers: { 'x-tenant': 'Acme' },
    });
  });

  it.each([
    ['https://example.com/another?path', true],
    ['https://EXAMPLE.com:443/', true],
    ['https://example.com:8443/hook', false],
    ['http://example.com/hook', false],
    ['https://a.example.com/hook', false],
    ['https://example.com.evil.test/hook', false],
    ['https://example.com@evil.test/hook', false],
  ])('that were set for https://example.com/hook: at %j, they are sent: %s', (url, areSent) => {
    const stored = storedHeaders({ 'x-tenant': 'acme' }, 'https://example.com/hook');
    expect(headersFor(url, stored)).toEqual(areSent ? { 'x-tenant': 'acme' } : undefined);
    // What is said to be sent is what is sent.
    const headers = { origin: stored.origin, names: ['x-tenant'] };
    expect(headerNames({ url, headers })).toEqual(areSent ? ['x-tenant'] : []);
  });

  it('are not sent if there are none, or no URL', () => {
    expect(headersFor('https://example.com/hook', undefined)).toBeUndefined();
    expect(headerNames({ url: 'https://example.com/hook' })).toEqual([]);
    expect(headerNames({ headers: { origin: 'https://example.com', names: ['x-tenant'] } })).toEqual([]);
  });
});

describe('a response that repeats values', () => {
  const basic = `Basic ${Buffer.from('acme-user:pa55w0rd').toString('base64')}`;
  const headers = {
    authorization: 'Bearer s3cr3t-token',
    'x-tenant': 'acme',
    'x-basic': basic,
    cookie: 'a=c00kie-1; b=c00kie-2',
  };
  const isHidden = (text: string, own: Record<string, string> = headers) => showsSecret(text, secretsIn(own), false);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    ['as they are', 'Got "Bearer s3cr3t-token".'],
    ['without the scheme', 's3cr3t-token.'],
    ['in another case', 'BEARER S3CR3T-TOKEN'],
    ['in base64', `>${base64('Bearer s3cr3t-token')}<`],
    ['inside of something in base64', base64('{"authorization":"Bearer s3cr3t-token"}')],
    ['in base64 for URLs', base64('??>s3cr3t-token').replaceAll('+', '-').replaceAll('/', '_')],
    ['in hexadecimal digits', Buffer.from('s3cr3t-token').toString('hex')],
    ['decoded, if they are for Basic', 'acme-user:pa55w0rd'],
    ['as the password alone', '"pa55w0rd"'],
    ['without the names of cookies', '{"b":"c00kie-2"}'],
  ])('a response that repeats values is hidden if it has them %s', (_, text) => {
    expect(isHidden(text)).toBe(true);
  });

  it('is hidden if it has them in JSON', () => {
    const quoted = { authorization: 'Digest name="s3cr\\3t"' };
    expect(isHidden(JSON.stringify({ got: quoted.authorization }), quoted)).toBe(true);
    expect(isHidden(JSON.stringify({ word: 'name="s3cr\\3t"' }), quoted)).toBe(true);
  });

  it('is shown if it has only schemes, short words and others', () => {
    expect(isHidden('acme: no valid Bearer, 100 % sure & \\u00e9 %zz')).toBe(false);
  });
});

describe('the reference of an exchange', () => {
  it('names the Flow, the message and the contact', () => {
    expect(referenceHeaders({ flow: 'flow', message: 'wamid.HBg=', contact: 'US.13491208655302741918' })).toEqual({
      'x-flow-id': 'flow',
      'x-message-id': 'wamid.HBg=',
      'x-contact': 'US.13491208655302741918',
    });
  });

  it('has no header for a message whose id is unknown, and none that HTTP could misread', () => {
    for (const contact of ['a\r\nx-admin: 1', 'é', '', 'a b', 'x'.repeat(513)]) {
      expect(referenceHeaders({ flow: 'flow', contact })).toEqual({ 'x-flow-id': 'flow' });
    }
    expect(referenceHeaders(undefined)).toEqual({});
  });
});

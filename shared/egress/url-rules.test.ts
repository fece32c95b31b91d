import { urlToHttpOptions } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import {
  addressesOf,
  checkResolvedUrl,
  checkUrl,
  destinationOf,
  parseAllowList,
  parseOwnAddresses,
} from './url-rules.ts';

const nothing = parseAllowList('');
const loopback = parseAllowList('127.0.0.0/8,::1/128');
const isOwn = parseOwnAddresses('https://api.example.com,http://localhost:3999');

/** A host name of this many characters, with labels of up to 63. */
const longName = (length: number) => 'a'.repeat(length).replaceAll(/(a{63})a/g, '$1.');

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com:443/hook',
    'https://example.com:80/hook',
    'https://a.b.example.co.uk/path?query=1#fragment',
    'HTTPS://EXAMPLE.COM/',
    'https://exämple.com/caminho/ação',
    'https://my_app.example.com',
    'https://1.1.1.1/hook',
    `https://${'a'.repeat(63)}.example.com`,
    `https://${longName(253)}`,
  ])('accepts the public URL %s', (url) => {
    expect(checkUrl(url, nothing, isOwn)).toBeUndefined();
  });

  it.each([
    ['malformed', 'example.com'],
    ['malformed', ''],
    ['malformed', 'https://'],
    ['malformed', ' https://example.com'],
    ['malformed', 'https://example.com/\r\nx-evil: 1'],
    ['malformed', 'https://example.com/\ud83d'],
    ['malformed', 'https://example.com\\@10.0.0.1/'],
    ['malformed', 'https://example.com:99999'],
    ['malformed', 'https://256.256.256.256'],
    ['malformed', 'https://[fe80::1%25eth0]/'],
    ['scheme', 'http://example.com'],
    ['scheme', 'http://1.1.1.1'],
    ['scheme', 'ftp://example.com'],
    ['scheme', 'file:///etc/passwd'],
    ['scheme', 'javascript:alert(1)'],
    ['credentials', 'https://user@example.com'],
    ['credentials', 'https://:secret@example.com'],
    ['credentials', 'https://example.com@127.0.0.1'],
    ['own-address', 'https://api.example.com/v2/messaging/events'],
    ['own-address', 'https://API.example.com.:8443'],
    ['ipv6', 'https://[2606:4700:4700::1111]/hook'],
    ['ipv6', 'https://[2A00:1450:4001:0:0:0:0:200E]'],
    ['port', 'https://example.com:8443'],
    ['port', 'https://example.com:22'],
    ['port', 'https://1.1.1.1:6379'],
    ['host', 'https://intranet'],
    ['host', 'https://localhost.'],
    ['host', 'https://LOCALHOST./'],
    ['host', 'https://app.localhost'],
    ['host', 'https://a.b.localhost'],
    ['host', 'https://app.localhost.'],
    ['host', 'https://example.com.'],
    ['host', 'https://example..com'],
    ['host', 'https://-example.com'],
    ['host', 'https://example-.com'],
    ['host', "https://exa'mple.com"],
    ['host', `https://${'a'.repeat(64)}.example.com`],
    ['host', `https://${longName(254)}`],
    ['forbidden-address', 'https://localhost'],
    ['forbidden-address', 'https://ｌｏｃａｌｈｏｓｔ'],
    ['forbidden-address', 'http://127.0.0.1:3000'],
    ['forbidden-address', 'https://169.254.169.254/latest/meta-data'],
    ['forbidden-address', 'https://10.0.0.1'],
  ])('reports the fault %s in %j', (fault, url) => {
    expect(checkUrl(url, nothing, isOwn)).toBe(fault);
  });

  it.each([
    ['dotted', '127.0.0.1'],
    ['dotted with a dot at the end', '127.0.0.1.'],
    ['decimal', '2130706433'],
    ['hexadecimal', '0x7f000001'],
    ['mixed hexadecimal', '0x7f.1'],
    ['octal', '0177.0.0.1'],
    ['short', '127.1'],
    ['zero', '0'],
    ['fullwidth', '１２７．０．０．１'],
    ['circled', '①②⑦.⓪.⓪.①'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['IPv6', '[::1]'],
    ['written-out IPv6', '[0:0:0:0:0:0:0:1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['mapped, hexadecimal', '[::ffff:7f00:1]'],
    ['compatible', '[::127.0.0.1]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['ISATAP', '[::5efe:7f00:1]'],
    ['metadata, decimal', '2852039166'],
    ['metadata over IPv6', '[fd00:ec2::254]'],
  ])('recognises an address in %s notation: %s', (_, host) => {
    expect(checkUrl(`https://${host}/`, nothing, isOwn)).toBe('forbidden-address');
  });

  it.each([
    'http://localhost:4000/x',
    'http://127.0.0.1',
    'https://127.8.8.8:8443',
    'http://[::1]:4000',
    'http://127.1:1',
  ])('accepts %s if loopback is allowed', (url) => {
    expect(checkUrl(url, loopback, isOwn)).toBeUndefined();
  });

  it('accepts localhost if one of its addresses is allowed', () => {
    for (const allowed of ['127.0.0.1/32', '::1/128']) {
      expect(checkUrl('http://localhost:4000', parseAllowList(allowed), isOwn)).toBeUndefined();
    }
  });

  it.each([
    ['scheme', 'http://example.com'],
    ['scheme', 'http://127.0.0.1.example.com'],
    ['port', 'https://example.com:8443'],
    ['credentials', 'http://user@localhost'],
    ['host', 'http://app.localhost'],
    ['host', 'http://localhost.'],
    ['forbidden-address', 'http://10.0.0.1'],
    ['forbidden-address', 'http://[::2]'],
    ['forbidden-address', 'http://0.0.0.0'],
    ['scheme', 'ftp://127.0.0.1'],
    ['own-address', 'http://localhost:3999'],
    ['own-address', 'http://127.1:3999/v2'],
  ])('reports the fault %s in %j even if loopback is allowed', (fault, url) => {
    expect(checkUrl(url, loopback, isOwn)).toBe(fault);
  });
});

describe('addressesOf', () => {
  const lookedUp = async (name: string) => [`address of ${name}`];

  it('looks up a name, and returns an address unchanged', async () => {
    expect(await addressesOf('example.com', lookedUp, loopback)).toEqual(['address of example.com']);
    expect(await addressesOf('1.1.1.1', lookedUp, loopback)).toEqual(['1.1.1.1']);
  });

  it.each([
    ['127.0.0.1/32', ['127.0.0.1']],
    ['::1/128', ['::1']],
    ['127.0.0.0/8,::1/128', ['127.0.0.1', '::1']],
    ['', ['127.0.0.1', '::1']],
  ])('of localhost, with %j allowed, returns %j', async (allowed, addresses) => {
    expect(await addressesOf('localhost', lookedUp, parseAllowList(allowed))).toEqual(addresses);
  });
});

describe('checkResolvedUrl', () => {
  const check = (url: string, addresses: string[], allowList = nothing) =>
    checkResolvedUrl(url, async () => addresses, allowList, isOwn);

  it('accepts a name with public addresses', async () => {
    expect(await check('https://example.com', ['1.1.1.1', '2606:4700:4700::1111'])).toBeUndefined();
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['one of several', ['1.1.1.1', '10.0.0.1']],
    ['mapped', ['::ffff:1.1.1.1']],
    ['IPv6 loopback', ['1.1.1.1', '::1']],
    ['something unreadable', ['example.net']],
  ])('rejects a name that resolves to a forbidden address: %s', async (_, addresses) => {
    expect(await check('https://example.com', addresses)).toBe('forbidden-address');
  });

  it('accepts such a name if its addresses are allowed', async () => {
    expect(await check('https://example.com', ['127.0.0.1', '::1'], loopback)).toBeUndefined();
  });

  it('accepts a name that does not resolve yet', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await checkResolvedUrl('https://example.com', unknown, nothing, isOwn)).toBeUndefined();
    expect(await check('https://example.com', [])).toBeUndefined();
  });

  it.each([
    ['own-address', 'https://api.example.com', nothing],
    ['port', 'https://example.com:22', nothing],
    ['forbidden-address', 'https://127.0.0.1', nothing],
    ['forbidden-address', 'https://localhost', nothing],
    [undefined, 'http://localhost:3000', loopback],
    [undefined, 'https://1.1.1.1', nothing],
  ])('returns %s for %s without a lookup', async (fault, url, allowList) => {
    const resolve = vi.fn(async () => ['1.1.1.1']);
    expect(await checkResolvedUrl(url, resolve, allowList, isOwn)).toBe(fault);
    expect(resolve).not.toHaveBeenCalled();
  });

  it('looks up the name in its DNS form', async () => {
    const resolve = vi.fn(async () => ['1.1.1.1']);
    await checkResolvedUrl('https://EXÄMPLE.com/hook', resolve, nothing, isOwn);
    expect(resolve).toHaveBeenCalledExactlyOnceWith('xn--exmple-cua.com');
  });
});

it.each([
  'https://example.com',
  'https://example.com/hook?tenant=1&a=%20#part',
  'https://example.com:80/',
  'http://127.0.0.1:3000/hook?',
  'https://[2001:db8::1]/hook',
  'http://[::1]:3000/',
  'https://bücher.example/straße',
])('the destination is what Node’s HTTP client makes of the URL itself: %s', (text) => {
  const url = new URL(text);
  const { protocol, hostname, port, path } = urlToHttpOptions(url);
  const { host, ...address } = destinationOf(text);
  const secure = protocol === 'https:';
  expect(address).toEqual({ secure, hostname, path, port: port ?? (secure ? 443 : 80) });
  expect(host).toBe(url.host);
});

describe('the own addresses of a deployment', () => {
  const isOwn = parseOwnAddresses('https://API.Exämple.com,https://abc123.execute-api.eu-west-1.amazonaws.com');

  it.each([
    'https://api.exämple.com',
    'https://API.EXÄMPLE.COM/v2/messaging/events?x=1',
    'https://api.xn--exmple-cua.com',
    'https://api.exämple.com.',
    'https://api.exämple.com:8443',
    'http://api.exämple.com',
    'https://ａｐｉ.exämple.com',
    'https://abc123.execute-api.eu-west-1.amazonaws.com/v2',
    'https://ABC123.EXECUTE-API.eu-west-1.amazonaws.com.:443',
  ])('the own addresses of a deployment include the URL %s', (url) => {
    expect(isOwn(new URL(url))).toBe(true);
  });

  it.each([
    'https://exämple.com',
    'https://www.api.exämple.com',
    'https://api.example.com',
    'https://api.exämple.com.example.net',
    'https://abc124.execute-api.eu-west-1.amazonaws.com',
    'https://abc123.execute-api.us-east-1.amazonaws.com',
    'http://localhost',
  ])('do not include the URL %s', (url) => {
    expect(isOwn(new URL(url))).toBe(false);
  });
});

describe('the own addresses of a local world', () => {
  const isOwn = parseOwnAddresses('http://localhost:3000');

  it.each([
    'http://localhost:3000/v2',
    'https://LOCALHOST.:3000',
    'http://api.localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.8.8.8:3000',
    'http://127.1:3000',
    'http://2130706433:3000',
    'http://0x7f.1:3000',
    'http://[::1]:3000',
    'http://[0:0:0:0:0:0:0:1]:3000',
    'http://[::ffff:127.0.0.1]:3000',
  ])('include the URL %s', (url) => {
    expect(isOwn(new URL(url))).toBe(true);
  });

  it.each(['http://localhost:3001', 'http://localhost', 'http://127.0.0.1:4000', 'http://10.0.0.1:3000'])(
    'do not include %s, which belongs to another service on this machine',
    (url) => {
      expect(isOwn(new URL(url))).toBe(false);
    },
  );

  it('are compared with the default port of the scheme', () => {
    const isOnDefaultPort = parseOwnAddresses('http://localhost');
    expect(isOnDefaultPort(new URL('http://127.0.0.1:80'))).toBe(true);
    expect(isOnDefaultPort(new URL('https://127.0.0.1:80'))).toBe(true);
    expect(isOnDefaultPort(new URL('https://127.0.0.1'))).toBe(false);
    expect(parseOwnAddresses('https://localhost')(new URL('http://127.0.0.1:443'))).toBe(true);
  });
});

it('there are no own addresses if the environment names none', () => {
  expect(parseOwnAddresses('')(new URL('https://example.com'))).toBe(false);
});

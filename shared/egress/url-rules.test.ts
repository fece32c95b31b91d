import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  addressesOf,
  checkResolvedUrl,
  checkUrl,
  destinationOf,
  isForbiddenAddress,
  parseAllowList,
  parseOwnAddresses,
  resolveWith,
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

const forbidden = (ip: string, allowList = nothing) => isForbiddenAddress(ip, allowList);

describe('isForbiddenAddress', () => {
  it.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private, 10/8', '10.0.0.0', '10.255.255.255'],
    ['carriers', '100.64.0.0', '100.127.255.255'],
    ['metadata in the space of carriers', '100.100.100.200', '100.100.100.200'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ["Azure's wire server", '168.63.129.16', '168.63.129.16'],
    ['link-local', '169.254.0.0', '169.254.255.255'],
    ['metadata and credentials', '169.254.169.254', '169.254.170.2'],
    ['private, 172.16/12', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255'],
    ['documentation 1', '192.0.2.0', '192.0.2.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['private, 192.168/16', '192.168.0.0', '192.168.255.255'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['documentation 2', '198.51.100.0', '198.51.100.255'],
    ['documentation 3', '203.0.113.0', '203.0.113.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
    ['unspecified and loopback', '::', '::1'],
    ['compatible', '::2', '::ffff:ffff'],
    ['compatible, with a public address in it', '::8.8.8.8', '::1.1.1.1'],
    ['mapped', '::ffff:0:0', '::ffff:ffff:ffff'],
    ['mapped, in dotted form', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ['translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
    ['ISATAP', '::5efe:7f00:1', '::5efe:0a00:1'],
    ['the rest of ::/8', '1::1', 'ff:ffff::'],
    ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
    ['NAT64 for local use', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
    ['protocol assignments and Teredo', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation, 3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unallocated', '4000::1', 'fbff::1'],
    ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['metadata over IPv6', 'fd00:ec2::254', 'fd00:ec2::23'],
    ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local with a zone', 'fe80::1%eth0', 'fe80::1%1'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('isForbiddenAddress forbids %s: %s, %s', (_, one, another) => {
    expect([one, another].filter((ip) => !forbidden(ip))).toEqual([]);
  });

  it.each([
    ['public name servers', ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2001:4860:4860::8888']],
    ['the neighbours of IPv4 blocks', ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0']],
    [
      'more of them',
      ['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
    ],
    ['and more', ['172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0']],
    ['and the last', ['198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255']],
    [
      'the neighbours of IPv6 blocks',
      ['2001:200::', '2001:db7::', '2001:db9::', '2003::', '2000::1', '3ffe::', '3fff:1000::'],
    ],
  ])('isForbiddenAddress permits public addresses: %s', (_, ips) => {
    expect(ips.filter((ip) => forbidden(ip))).toEqual([]);
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '1.1.1.1:80', '[::1]', '2606:4700:4700::1111%eth0', ' 1.1.1.1'])(
    'forbids a text that is not a plain address: %j',
    (text) => {
      expect(forbidden(text)).toBe(true);
      expect(forbidden(text, parseAllowList('0.0.0.0/0,::/0'))).toBe(true);
    },
  );

  it.each([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ])('forbids all of %s/%i, and IPv6 addresses that map or embed it', (network, prefix) => {
    fc.assert(
      fc.property(addressIn(numberOf(network), prefix, 32), (value) => {
        const ip = ipv4(value);
        const hex = `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
        const embedded = ['::ffff:', '::', '::ffff:0:', '::5efe:', '64:ff9b::', '64:ff9b:1::'].map(
          (before) => before + hex,
        );
        for (const address of [ip, `::ffff:${ip}`, ...embedded, `2002:${hex}::`]) expect(forbidden(address)).toBe(true);
      }),
    );
  });

  it.each([
    ['2001', 23],
    ['2001:db8', 32],
    ['2002', 16],
    ['3fff', 20],
    ['0', 3],
    ['4000', 2],
    ['8000', 1],
  ])('isForbiddenAddress forbids all of %s::/%i', (network, prefix) => {
    const [first = '0', second = '0'] = network.split(':');
    const base = (BigInt(`0x${first}`) << 112n) | (BigInt(`0x${second}`) << 96n);
    fc.assert(
      fc.property(addressIn(base, prefix, 128), (value) => {
        expect(forbidden(ipv6(value))).toBe(true);
      }),
    );
  });

  it('permits the addresses of the allow-list, and no others through it', () => {
    const allowList = parseAllowList('127.0.0.0/8, ::1/128');
    expect(['127.0.0.1', '127.255.255.255', '::1'].filter((ip) => forbidden(ip, allowList))).toEqual([]);
    const others = ['10.0.0.1', '128.0.0.1', '::', '::2', 'fe80::1', '169.254.169.254'];
    expect(others.filter((ip) => forbidden(ip, allowList) !== forbidden(ip))).toEqual([]);
  });
});

describe('parseAllowList', () => {
  it.each(['', ' '])('allows nothing if it is %j', (text) => {
    expect(['127.0.0.1', '::1', '10.0.0.1'].every((ip) => forbidden(ip, parseAllowList(text)))).toBe(true);
  });

  it.each([
    ['no prefix', '127.0.0.1'],
    ['a name', 'localhost/8'],
    ['a prefix too long', '127.0.0.0/33'],
    ['a prefix too long for IPv6', '::1/129'],
    ['an empty block', '127.0.0.0/8,'],
    ['a zone', 'fe80::1%eth0/10'],
    ['a negative prefix', '10.0.0.0/-1'],
    ['another separator', '10.0.0.0/8;::1/128'],
    ['two prefixes', '10.0.0.0/8/8'],
    ['something before the network', '10.0.0.0/11.0.0.0/8'],
  ])('rejects a list with %s', (_, text) => {
    expect(() => parseAllowList(text)).toThrow('CIDR');
  });

  it('names the invalid block in its error', () => {
    expect(() => parseAllowList('::1/128,10.0.0/8')).toThrow('"10.0.0/8"');
  });
});

/** An address of a block, as a number. */
function addressIn(network: bigint, prefix: number, bits: number) {
  return fc.bigInt({ min: 0n, max: (1n << BigInt(bits - prefix)) - 1n }).map((offset) => network | offset);
}

function numberOf(ip: string): bigint {
  if (!isIPv4(ip)) throw new Error(ip);
  return ip.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

const ipv4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');

const ipv6 = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(':');

type Records = Record<string, { A?: string[]; AAAA?: string[] } | 'silence'>;

/** A name server on loopback. Names that it does not know do not exist. */
async function nameServer(records: Records) {
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const record = records[name];
    if (record !== 'silence') server.send(answer(query, question, record && (record[type] ?? [])), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const resolver = new Resolver({ timeout: 50, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { asked, resolve: resolveWith(resolver) };
}

/** RFC 1035, section 4.1.2. */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type: 'A' | 'AAAA' = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
  return { name: labels.join('.'), type, question: query.subarray(12, at + 5) };
}

/** RFC 1035, section 4.1.3; without addresses the name does not exist. */
function answer(query: Buffer, question: Buffer, addresses: string[] | undefined): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(addresses ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  const type = question.subarray(-4);
  const resources = (addresses ?? []).map((address) => {
    const data = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
    return Buffer.concat([Buffer.from([0xc0, 12]), type, Buffer.from([0, 0, 0, 60, 0, data.length]), data]);
  });
  return Buffer.concat([header, question, ...resources]);
}

const ipv6Bytes = (address: string) =>
  Buffer.from(
    address.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );

describe('resolveWith', () => {
  it('returns all addresses of a name, IPv4 first', async () => {
    const { resolve } = await nameServer({
      'receiver.example.com': { A: ['1.1.1.1', '1.0.0.1'], AAAA: ['2606:4700:4700:0:0:0:0:1111'] },
    });
    expect(await resolve('receiver.example.com')).toEqual(['1.1.1.1', '1.0.0.1', '2606:4700:4700::1111']);
  });

  it.each([
    ['IPv4', { A: ['1.1.1.1'] }, ['1.1.1.1']],
    ['IPv6', { AAAA: ['2606:4700:4700:0:0:0:0:1111'] }, ['2606:4700:4700::1111']],
  ])('succeeds if a name has only %s', async (_, records, addresses) => {
    const { resolve } = await nameServer({ 'receiver.example.com': records });
    expect(await resolve('receiver.example.com')).toEqual(addresses);
  });

  it('looks up the name exactly as given, without search domains', async () => {
    const { asked, resolve } = await nameServer({});
    await expect(resolve('receiver.example.com')).rejects.toThrow();
    expect(asked.toSorted()).toEqual(['A receiver.example.com', 'AAAA receiver.example.com']);
  });

  it.each<[string, Records]>([
    ['does not exist', {}],
    ['has no address', { 'receiver.example.com': {} }],
    ['is not answered for', { 'receiver.example.com': 'silence' }],
  ])('rejects a name that %s', async (_, records) => {
    const { resolve } = await nameServer(records);
    await expect(resolve('receiver.example.com')).rejects.toThrow('no address');
  });
});

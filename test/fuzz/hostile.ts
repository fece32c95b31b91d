import hostileFlows from './hostile-flows.json' with { type: 'json' };
import type { Random } from './random.ts';

/** A header that no response may have: texts below try to smuggle it in. */
export const smuggledHeader = 'x-smuggled';

const injection = `\r\n${smuggledHeader}: 1\r\nSet-Cookie: smuggled=1\r\n\r\n`;

/** Texts that break careless code. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uffff',
  '\ufffe',
  '\ud800',
  '\udfff\ud800',
  '\u202eexe.txt',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '\u2028\u2029',
  '\ufeff',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '99999999999999999999999999',
  '0x10',
  '١٢٣',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f',
  '%00',
  '%',
  '%zz',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' OR '1'='1",
  '{"$ne":null}',
  '; ls',
  '`id`',
  injection,
  `x${injection}`,
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(2_001),
  '👋'.repeat(3_000),
  '"\\'.repeat(1_000),
  'a'.repeat(100_000),
];

/** Addresses that the service must not call, and texts that are not addresses. */
export const hostileUrls: readonly string[] = [
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254/',
  'https://10.0.0.1/',
  'https://[fd00::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0/',
  'https://user:password@example.com/',
  'https://example.com:22/',
  'https://example.com\\@10.0.0.1/',
  'https://example.com#@10.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://exam ple.com/',
  'https://example.com/\r\nHost: evil',
  'file:///etc/passwd',
  'gopher://10.0.0.1:70/_',
  'ftp://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.com/',
  'https://',
  'https:///x',
  'https://-.com/',
  `https://${'a'.repeat(64)}.com/`,
  `https://example.com/${'a'.repeat(3_000)}`,
  'https://localhost.localdomain/',
  'https://metadata.google.internal/',
];

/** SDPs of calls, from nearly correct ones to texts that are not SDPs. */
export const sdps: readonly string[] = [
  'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=rtcp-mux\r\na=setup:actpass\r\na=mid:0\r\na=sendrecv\r\na=ice-ufrag:4cP5\r\na=ice-pwd:asd88fgpdd777uzjYhagZg8h\r\na=fingerprint:sha-256 19:E2:1C:3B\r\na=rtpmap:111 opus/48000/2\r\na=candidate:1 1 udp 2122260223 127.0.0.1 50000 typ host\r\n',
  'v=0',
  'v=0\no=-\ns=-\nt=0 0\nm=audio 0 RTP/AVP 0\n',
  `v=0\r\n${'a=candidate:1 1 udp 1 127.0.0.1 1 typ host\r\n'.repeat(1_000)}`,
  `v=0\r\n${'m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n'.repeat(500)}`,
  `v=0\r\na=${'x'.repeat(80_000)}\r\n`,
  'v=0\\r\\no=-\\r\\n',
  'a=\r\n=\r\nm=\r\nv=\r\n',
  'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF __proto__\r\na=rtpmap:__proto__ constructor/0/0\r\n',
];

/** Flow JSON; the first two are valid. */
export const flowJsons: readonly object[] = [
  ...hostileFlows,
  { version: '7.2', screens: Array.from({ length: 300 }, (_, index) => ({ id: `S${index}`, title: '' })) },
];

/** Text with an odd code unit at a random place. */
export function brokenText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) + random.pick(['\u0000', '\ud800', '\uffff', '\r\n', '"', '\\', '%', '\u202e']) + text.slice(at)
  );
}

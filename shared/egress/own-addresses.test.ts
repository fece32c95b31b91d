import { describe, expect, it } from 'vitest';
import { parseOwnAddresses } from './url-rules.ts';

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

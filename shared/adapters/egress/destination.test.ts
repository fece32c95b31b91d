import { urlToHttpOptions } from 'node:url';
import { expect, it } from 'vitest';
import { destinationOf } from './destination.ts';

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
  expect(address).toEqual({ protocol, hostname, path, port: port === undefined ? '' : String(port) });
  expect(host).toBe(url.host);
});

import { expect, it } from 'vitest';
import { acceptsGzip } from './json-body.ts';

it.each([
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=1.0, GZIP ; q=0.8', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['*;q=0', false],
  ['br', false],
  ['gzipped', false],
  ['gzip;q=x', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %s permits gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

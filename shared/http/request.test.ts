import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { acceptsGzip, readJsonBody } from './request.ts';

const read = (body: string | undefined, contentType: string | undefined = 'application/json') =>
  readJsonBody({ headers: { 'content-type': contentType }, ...(body && { body }), isBase64Encoded: false });

const readBytes = (bytes: Uint8Array, contentType = 'application/json') =>
  readJsonBody({
    headers: { 'content-type': contentType },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });

describe('readJsonBody', () => {
  it('returns the object that was sent, as text or as bytes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const text = JSON.stringify(object);
        expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
        expect(JSON.stringify(readBytes(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('treats a missing body as an empty object, whatever its media type', () => {
    expect(read(undefined, undefined)).toEqual({});
    expect(read('', 'text/plain')).toEqual({});
  });

  it('accepts a byte order mark', () => {
    expect(readBytes(Buffer.from('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  });

  it('keeps members with the names of built-in object properties, and adds none', () => {
    const value = read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('numbers with exact digits', () => {
  const readExactly = (body: string) =>
    readJsonBody({ headers: { 'content-type': 'application/json' }, body, isBase64Encoded: false }, true);

  it('keep every digit after parsing', () => {
    const body = '{"n":[12345678901234567890,1.50,-0,1e400]}';
    expect(JSON.stringify(readExactly(body))).toBe(body);
  });

  it.each([1_000, 100_000])('among %i levels are rejected without exhausting the stack', (depth) => {
    const body = `{"a":${'['.repeat(depth)}1.0${']'.repeat(depth)}}`;
    expect(() => readExactly(body)).toThrow(expect.objectContaining({ code: 'body.too-deep', values: { max: 200 } }));
  });

  it('are not quoted when the body is malformed', () => {
    expect(() => readExactly('{"a":1.0,}')).toThrow(
      expect.objectContaining({ values: { reason: 'at position 9 (line 1 column 10)' } }),
    );
  });

  it('are rejected if the body is only a number', () => {
    expect(() => readExactly('1.0')).toThrow(expect.objectContaining({ code: 'body.not-an-object' }));
  });
});

describe('the media type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json;charset=utf8',
    'application/json; charset="UTF-8"',
    ' application/json ; profile=x',
  ])('is accepted if it is JSON: %s', (contentType) => {
    expect(read('{}', contentType)).toEqual({});
  });

  it.each([
    '',
    'text/plain',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/ld+json',
  ])('is rejected before the body is read: %j', (contentType) => {
    expect(() => read('{', contentType)).toThrow(expect.objectContaining({ code: 'body.not-json' }));
  });

  it('is rejected if it is missing', () => {
    expect(() => readJsonBody({ headers: {}, body: '{}', isBase64Encoded: false })).toThrow(
      expect.objectContaining({ code: 'body.not-json' }),
    );
  });
});

describe('a malformed body', () => {
  it.each(['{', '{"a":1}{}', '{"a":"\u0001"}', ' ', 'null', '"text"', '[]'])(
    'is rejected with an error: %j',
    (body) => {
      expect(() => read(body)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^body[.](malformed|not-an-object|not-utf-8)$/) }),
      );
    },
  );

  it('is not quoted: the error gives only the position', () => {
    expect(() => read('{"secret": hunter2}')).toThrow(
      expect.objectContaining({ values: { reason: expect.not.stringContaining('hunter2') } }),
    );
    expect(() => read('{"a":1\n,}')).toThrow(
      expect.objectContaining({ values: { reason: 'at position 8 (line 2 column 2)' } }),
    );
    expect(() => read('{"a"')).toThrow(expect.objectContaining({ values: { reason: expect.stringMatching(/./) } }));
  });

  it.each([
    ['a lone continuation byte', [0x7b, 0x80, 0x7d]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half of a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('is rejected if it is not UTF-8: %s', (_, bytes) => {
    expect(() => readBytes(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: 'body.not-utf-8' }));
  });
});

describe('nesting', () => {
  const arrays = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([arrays, objects])('is accepted up to 200 levels and no deeper', (nested) => {
    expect(read(nested(200))).toBeTypeOf('object');
    expect(() => read(nested(201))).toThrow(expect.objectContaining({ code: 'body.too-deep', values: { max: 200 } }));
  });

  it.each([arrays, objects])('of a whole body is rejected without exhausting the stack', (nested) => {
    expect(() => read(nested(500_000))).toThrow(expect.objectContaining({ code: 'body.too-deep' }));
  });

  it('does not count brackets in a text', () => {
    expect(read(`{"a":"${'['.repeat(500)}"}`)).toEqual({ a: '['.repeat(500) });
  });
});

it('any input leads to an object or a rejection', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', 'null', '\\', '\\u', 'd800', ' ', '__proto__');
  const body = fc.oneof(
    anyText,
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(body, fc.boolean(), (text, isBase64Encoded) => {
      try {
        const value = readJsonBody({ headers: { 'content-type': 'application/json' }, body: text, isBase64Encoded });
        expect(Array.isArray(value)).toBe(false);
        expect(value).toBeTypeOf('object');
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^body[.](malformed|not-an-object|not-utf-8)$/) });
      }
    }),
  );
});

it.each([
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=1.0, GZIP ; q=0.8', true],
  ['*', true],
  ['gzip;q=0', false],
  ['*;q=0', false],
  ['br', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %s permits gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

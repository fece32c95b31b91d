import { describe, expect, it } from 'vitest';
import { gatewayResponses, MalformedResultError, toResponse } from './response.ts';

const answer = (value: unknown) => toResponse({ payload: JSON.stringify(value) });
const json = new Map([['content-type', 'application/json']]);

describe('toResponse', () => {
  it('toResponse converts a structured result', () => {
    const headers = { 'Content-Type': 'text/html', 'X-Count': 3, 'X-Yes': true };
    expect(answer({ statusCode: 201, headers, cookies: ['a=1', 'b=2'], body: 'grüß', extra: 1 })).toEqual({
      status: 201,
      headers: new Map([
        ['content-type', 'text/html'],
        ['x-count', '3'],
        ['x-yes', 'true'],
      ]),
      cookies: ['a=1', 'b=2'],
      body: Buffer.from('grüß'),
    });
  });

  it('decodes a body in base64', () => {
    expect(answer({ statusCode: 200, isBase64Encoded: true, body: '/wA=' }).body).toEqual(Buffer.from([255, 0]));
  });

  it('has no body if the result has none, and is text if the result has no type', () => {
    expect(answer({ statusCode: 404, headers: null, body: null })).toEqual({
      status: 404,
      headers: new Map([['content-type', 'text/plain; charset=utf-8']]),
      cookies: [],
      body: Buffer.alloc(0),
    });
  });

  it('has no body with 204', () => {
    expect(answer({ statusCode: 204, body: 'x' })).toMatchObject({ headers: new Map(), body: Buffer.alloc(0) });
  });

  it('ignores connection headers of the function', () => {
    const headers = { Connection: 'close', 'Content-Length': '999', 'Transfer-Encoding': 'chunked', 'X-A': '1' };
    expect([...answer({ statusCode: 200, headers }).headers.keys()]).toEqual(['x-a', 'content-type']);
  });

  it.each([
    ['an object', { name: 'x' }, '{"name":"x"}'],
    ['a list', [1], '[1]'],
    ['a string', 'Hello', 'Hello'],
    ['nothing', null, 'null'],
  ])('returns 200 for %s that has no statusCode', (_, value, body) => {
    expect(answer(value)).toEqual({ status: 200, headers: json, cookies: [], body: Buffer.from(body) });
  });

  it('returns 500 for a function that failed', () => {
    expect(toResponse({ payload: '{"statusCode":200}', functionError: 'Unhandled' })).toBe(
      gatewayResponses.internalError,
    );
  });

  it.each([
    ['a status that is text', { statusCode: 'ok' }],
    ['a status that is none', { statusCode: 42 }],
    ['an informational status', { statusCode: 101 }],
    ['a body that is an object', { statusCode: 200, body: {} }],
    ['a header that is a list', { statusCode: 200, headers: { a: ['b'] } }],
    ['a header with a line break', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['a header without a name', { statusCode: 200, headers: { 'a b': 'c' } }],
    ['a cookie with a line break', { statusCode: 200, cookies: ['a\nb'] }],
    ['cookies that are not a list', { statusCode: 200, cookies: 'a=1' }],
  ])('rejects a result with %s', (_, value) => {
    expect(() => answer(value)).toThrow(MalformedResultError);
  });
});

import { describe, expect, it } from 'vitest';
import { createRouter } from './routing.ts';

const find = (...routeKeys: string[]) => {
  const router = createRouter(routeKeys.map((routeKey) => ({ routeKey })));
  return (method: string, path: string) => {
    const match = router(method, path);
    return match && [match.target.routeKey, match.pathParameters];
  };
};

describe('createRouter', () => {
  it.each([
    [['GET /a/{x}', 'GET /a/b'], 'GET /a/b'],
    [['GET /{x}/b', 'GET /a/{x}'], 'GET /a/{x}'],
    [['POST /a/b', 'GET /a/{x}'], 'GET /a/{x}'],
    [['GET /a/{rest+}', 'GET /{x}/{y}'], 'GET /{x}/{y}'],
    [['GET /a/{rest+}', 'GET /{x}/c'], 'GET /a/{rest+}'],
  ])('chooses among %j the route %s', (routeKeys, expected) => {
    for (const order of [routeKeys, routeKeys.toReversed()]) {
      expect(find(...order)('GET', '/a/b')?.[0]).toBe(expected);
    }
  });

  it.each([
    ['another method', 'POST', '/v2/flows'],
    ['HEAD for GET', 'HEAD', '/v2/flows'],
    ['a slash at the end', 'GET', '/v2/flows/'],
    ['a longer path', 'GET', '/v2/flows/1/2'],
    ['another case', 'GET', '/V2/flows'],
    ['a doubled slash', 'GET', '//v2/flows'],
    ['an empty parameter', 'GET', '/v2//json'],
    ['dot segments', 'GET', '/v2/x/../flows'],
    ['a dot segment for a parameter', 'GET', '/v2/../json'],
    ['an encoded dot segment', 'GET', '/v2/%2E%2e/json'],
    ['the asterisk', 'OPTIONS', '*'],
  ])('finds no route for %s', (_, method, path) => {
    expect(find('GET /v2/flows', 'GET /v2/{id}/json')(method, path)).toBeUndefined();
  });

  it('decodes path parameters only once', () => {
    const route = find('GET /a/{x}');
    expect(route('GET', '/a/b%2Fc%20%C3%BC%2525')).toEqual(['GET /a/{x}', { x: 'b/c ü%25' }]);
    expect(route('GET', '/%61/b')).toEqual(['GET /a/{x}', { x: 'b' }]);
  });

  it('takes all further segments for a greedy parameter, but not none', () => {
    const route = find('GET /a/{rest+}');
    expect(route('GET', '/a/b/c%20d/')).toEqual(['GET /a/{rest+}', { rest: 'b/c d/' }]);
    expect([route('GET', '/a'), route('GET', '/a/'), route('GET', '/a/b/../c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('rejects a path with invalid percent-encoding', () => {
    expect(() => find('GET /a/{x}')('GET', '/a/%zz')).toThrow(URIError);
    expect(() => find('GET /a/{x}')('GET', '/a/%C3')).toThrow(URIError);
  });

  it('accepts parameters with names of built-in object properties', () => {
    const [, parameters] = find('GET /{__proto__}/{constructor}')('GET', '/a/b') ?? [];
    expect(JSON.stringify(parameters)).toBe('{"__proto__":"a","constructor":"b"}');
  });
});

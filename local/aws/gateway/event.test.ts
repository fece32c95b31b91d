import { describe, expect, it } from 'vitest';
import { buildFunctionEvent, buildRequestEvent } from './event.ts';
import { type GatewayRequest, splitTarget } from './request.ts';

const facts = {
  apiId: 'Api',
  requestId: 'id=',
  routeKey: 'POST /v2/{flow}',
  pathParameters: { flow: 'a b' },
  time: new Date('2026-11-05T07:53:24.567Z'),
};
const request = (changes: Partial<GatewayRequest> = {}): GatewayRequest => ({
  method: 'POST',
  rawPath: '/v2/a%20b',
  rawQueryString: 'a=1&b=x%20y&a=2&c',
  httpVersion: '1.1',
  rawHeaders: [
    ...['Host', 'api.example.test', 'User-Agent', 'test/1', 'X-Many', 'one', 'x-many', 'two'],
    ...['Cookie', 'a=1; b=2', 'cookie', 'c=3,4', 'Connection', 'keep-alive', 'Content-Type', 'application/json'],
    ...['X-Amzn-Trace-Id', 'Root=1'],
  ],
  body: Buffer.from('{}'),
  sourceIp: '127.0.0.1',
  port: 3000,
  ...changes,
});

describe('buildFunctionEvent', () => {
  it('buildFunctionEvent builds payload format 2.0', () => {
    const event = buildFunctionEvent(buildRequestEvent(request(), facts), Buffer.from('{}'));
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'POST /v2/{flow}',
      rawPath: '/v2/a b',
      rawQueryString: 'a=1&b=x%20y&a=2&c',
      cookies: ['a=1', 'b=2', 'c=3,4'],
      headers: {
        'content-length': '2',
        'content-type': 'application/json',
        host: 'api.example.test',
        'user-agent': 'test/1',
        'x-amzn-trace-id': 'Root=1',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
        'x-many': 'one,two',
      },
      queryStringParameters: { a: '1,2', b: 'x y', c: '' },
      pathParameters: { flow: 'a b' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'Api',
        domainName: 'api.example.test',
        domainPrefix: 'api',
        http: {
          method: 'POST',
          path: '/v2/a b',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test/1',
        },
        requestId: 'id=',
        routeKey: 'POST /v2/{flow}',
        stage: '$default',
        time: '05/Nov/2026:07:53:24 +0000',
        timeEpoch: 1_793_865_204_567,
      },
      body: '{}',
      isBase64Encoded: false,
    });
  });

  it('buildFunctionEvent leaves out missing members', () => {
    const bare = request({ rawQueryString: '', rawHeaders: ['Host', 'x'], body: Buffer.alloc(0) });
    const event = buildFunctionEvent(buildRequestEvent(bare, { ...facts, pathParameters: {} }), bare.body);
    expect(Object.keys(event).sort()).toEqual([
      'headers',
      'isBase64Encoded',
      'rawPath',
      'rawQueryString',
      'requestContext',
      'routeKey',
      'version',
    ]);
    expect(event.isBase64Encoded).toBe(false);
    expect(event.headers).not.toHaveProperty('content-length');
  });

  const withBody = (contentType: string | undefined, body: Buffer) => {
    const sent = request({ body, rawHeaders: contentType === undefined ? [] : ['Content-Type', contentType] });
    return buildFunctionEvent(buildRequestEvent(sent, facts), body);
  };

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'text/plain', 'application/xml'])(
    'has a body of %s as text',
    (contentType) => {
      expect(withBody(contentType, Buffer.from('grüß\uFEFF'))).toMatchObject({
        body: 'grüß\uFEFF',
        isBase64Encoded: false,
      });
    },
  );

  it.each([
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    undefined,
  ])('has a body of %s in base64', (contentType) => {
    expect(withBody(contentType, Buffer.from('a=1'))).toMatchObject({ body: 'YT0x', isBase64Encoded: true });
  });

  it('keeps the bytes of a text that is not UTF-8', () => {
    expect(withBody('text/plain', Buffer.from([0xff, 0xfe]))).toMatchObject({ body: '//4=', isBase64Encoded: true });
  });

  it('keeps a byte order mark', () => {
    expect(withBody('text/plain', Buffer.from('\uFEFFa')).body).toBe('\uFEFFa');
  });

  it('accepts names of built-in object properties', () => {
    const sent = request({ rawQueryString: '__proto__=x', rawHeaders: ['__proto__', 'y'] });
    const event = JSON.parse(JSON.stringify(buildRequestEvent(sent, facts)));
    expect(Object.entries(event.queryStringParameters)).toEqual([['__proto__', 'x']]);
    expect(Object.getOwnPropertyDescriptor(event.headers, '__proto__')?.value).toBe('y');
  });

  it('lists the earlier forwarders of the request', () => {
    const sent = request({ rawHeaders: ['X-Forwarded-For', '10.0.0.1'] });
    expect(buildRequestEvent(sent, facts).headers['x-forwarded-for']).toBe('10.0.0.1, 127.0.0.1');
  });
});

describe('splitTarget', () => {
  it.each([
    ['/a/b?c=d?e', '/a/b', 'c=d?e'],
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['http://example.test:80/a?b', '/a', 'b'],
    ['HTTPS://example.test?b', '/', 'b'],
    ['//example.test/a', '//example.test/a', ''],
    ['*', '*', ''],
  ])('splits %s into path and query', (target, rawPath, rawQueryString) => {
    expect(splitTarget(target)).toEqual({ rawPath, rawQueryString });
  });
});

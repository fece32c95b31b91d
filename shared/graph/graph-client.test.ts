import { createServer, type RequestListener } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { addMark } from '#shared/base/mark.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { cameBeforeSending } from '#shared/base/upstream-error.ts';
import { mark } from '#support/deployment.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { connectionError, type GraphRequest, type GraphSettings, graphClient, multipartForm } from './graph-client.ts';

const accessToken = 'EAAtest';

/** The server sends these responses one after the other and repeats the last one. */
let answers: RequestListener[];

const server = forAllTests(() =>
  startHttpServer((request, response) => {
    const [next, ...others] = answers;
    if (others.length > 0) answers = others;
    next?.(request, response);
  }),
);
beforeEach(() => {
  server.requests.length = 0;
});

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const text =
  (status: number, body: string, headers = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const silence: RequestListener = () => {};
const reset: RequestListener = (request) => void request.socket.destroy();
const cutShort: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('{"id":"1"', () => response.destroy());
};
const halted: RequestListener = (_, response) => void response.writeHead(200).write('{"id":"1"');
const oops = json(500, { error: { message: 'Oops', code: 1 } });
const done = json(200, { success: true });

function call(request: GraphRequest, settings: Partial<GraphSettings> = {}, deadline = Date.now() + 10_000) {
  const all = { baseUrl: server.url, version: 'v25.0', timeoutMs: 8_000, ...settings };
  return graphClient(all, async () => accessToken, deadline, Date.now)(request);
}

describe('credentials that cannot be read', () => {
  it('mean that the request was not sent', async () => {
    const settings = { baseUrl: server.url, version: 'v25.0', timeoutMs: 8_000 };
    const unreadable = () => Promise.reject(new Error('no secret'));
    const call = graphClient(settings, unreadable, Date.now() + 10_000, Date.now);
    const error = await call({ method: 'POST', path: '1/messages' }).catch((fault: unknown) => fault);
    expect([cameBeforeSending(error), server.requests.length]).toEqual([true, 0]);
  });

  it('are not the reason of a failure after the request', async () => {
    answers = [reset];
    const error = await call({ method: 'POST', path: '1/messages' }).catch((fault: unknown) => fault);
    expect([cameBeforeSending(error), server.requests.length]).toEqual([false, 1]);
  });
});

const tokenInvalid = json(401, { error: { message: 'Error validating access token', code: 190 } });

describe('an access token that the upstream rejects', () => {
  /** Makes a call with a cached token while another one may be stored. */
  const call = (request: GraphRequest, stored: string) => {
    const settings = { baseUrl: server.url, version: 'v25.0', timeoutMs: 8_000 };
    const token = async (maxAgeMs = Number.POSITIVE_INFINITY) => (maxAgeMs > freshMs ? 'kept' : stored);
    return graphClient(settings, token, Date.now() + 10_000, Date.now)(request);
  };

  it.each(['GET', 'POST'] as const)('is read again, and %s succeeds with the new token', async (method) => {
    answers = [tokenInvalid, done];
    expect(await call({ method, path: '123' }, 'stored')).toEqual({ success: true });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer kept', 'Bearer stored']);
  });

  it('leads to a failure if the stored token has not changed, or if the new one is rejected too', async () => {
    answers = [tokenInvalid];
    await expect(call({ method: 'POST', path: '123' }, 'kept')).rejects.toMatchObject({ failure: 'credentials' });
    expect(server.requests).toHaveLength(1);
    await expect(call({ method: 'POST', path: '123' }, 'stored')).rejects.toMatchObject({ failure: 'credentials' });
    expect(server.requests).toHaveLength(3);
  });
});

/** Short enough for a test to wait for it, long enough for a response on a busy machine. */
const soon = { timeoutMs: 400 };

const read: GraphRequest = { method: 'GET', path: '123' };
const change: GraphRequest = { method: 'POST', path: '123/publish' };

describe('a request to the upstream', () => {
  beforeEach(() => {
    answers = [done];
  });

  it('goes to the version below the base URL, with the access token', async () => {
    expect(await call({ method: 'GET', path: '123/flows', query: { fields: 'id,name', after: 'a&b=c' } })).toEqual({
      success: true,
    });
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        url: '/v25.0/123/flows?fields=id%2Cname&after=a%26b%3Dc',
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
        body: '',
      },
    ]);
  });

  it("a request to the upstream carries this deployment's mark", async () => {
    await call(read, { headers: addMark({}, mark) });
    const via = `1.1 ${mark}`;
    expect(server.requests).toMatchObject([{ headers: { via, 'messaging-service-via': via } }]);
  });

  it('has a JSON body with its content type', async () => {
    await call({ method: 'POST', path: '123/flows', json: { name: 'Ação' } }, { baseUrl: `${server.url}/` });
    expect(server.requests).toMatchObject([
      { url: '/v25.0/123/flows', headers: { 'content-type': 'application/json' }, body: '{"name":"Ação"}' },
    ]);
  });

  it('has a form body with its boundary', async () => {
    const form = new FormData();
    form.append('asset_type', 'FLOW_JSON');
    await call({ method: 'POST', path: '123/assets', form });
    expect(server.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.requests[0]?.body).toContain('FLOW_JSON');
  });
});

describe('a failure', () => {
  it.each<[string, RequestListener, object]>([
    [
      'a rejection',
      json(400, { error: { message: 'No', code: 100, error_subcode: 33 } }),
      { failure: 'rejected', code: 100, subcode: 33 },
    ],
    ['an error of the upstream', oops, { failure: 'unavailable', code: 1 }],
    ['an error page', text(502, '<html>Bad gateway</html>'), { failure: 'unavailable', code: undefined }],
    ['a page in place of a response', text(200, '<html>Welcome</html>'), { failure: 'broken-response' }],
    ['an empty response', text(200, ''), { failure: 'broken-response' }],
    ['half a response', text(200, '{"id":"1"'), { failure: 'broken-response' }],
    ['half a compressed response', text(200, '\x1f', { 'content-encoding': 'gzip' }), { failure: 'broken-response' }],
    ['a connection that ends within the response', cutShort, { failure: 'broken-response', outcomeIsUnknown: true }],
    ['a connection that ends before it', reset, { failure: 'broken-response', outcomeIsUnknown: true }],
    ['silence', silence, { failure: 'timeout', outcomeIsUnknown: true }],
    ['silence within the response', halted, { failure: 'timeout', outcomeIsUnknown: true }],
  ])('%s is distinguished from other failures, and a change is sent once', async (_, answer, failure) => {
    answers = [answer];
    await expect(call(change, [silence, halted].includes(answer) ? soon : {})).rejects.toMatchObject({
      name: 'UpstreamError',
      ...failure,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is classified as unreachable if no server listens, because nothing was sent', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const baseUrl = `http://${host}:${await freePort()}`;
      await expect(call(change, { baseUrl })).rejects.toMatchObject({
        failure: 'unreachable',
        outcomeIsUnknown: false,
      });
    }
  });

  it('does not follow redirects, so the access token stays with the upstream', async () => {
    const elsewhere = await startHttpServer(done);
    try {
      answers = [text(307, '', { location: `${elsewhere.url}/v25.0/123` })];
      await expect(call(read)).rejects.toMatchObject({ failure: 'broken-response' });
      await expect(call(change)).rejects.toMatchObject({ failure: 'broken-response' });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('never reveals the access token', async () => {
    for (const answer of [oops, silence, reset]) {
      answers = [answer];
      const error = await call(change, soon).catch((failure: Error) => failure);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(accessToken);
    }
  });
});

describe('an error of a connection', () => {
  const failureBecause = (cause: object) =>
    connectionError(new TypeError('fetch failed', { cause: Object.assign(new Error(), cause) })).failure;

  it.each([
    ['a failed look-up', { code: 'EAI_FAIL', syscall: 'getaddrinfo' }, 'unreachable'],
    ['a host without a route', { code: 'EHOSTUNREACH', syscall: 'connect' }, 'unreachable'],
    ['a certificate of another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'broken-response'],
    ['a connection that broke', { code: 'EPIPE', syscall: 'write' }, 'broken-response'],
    ['a connection that was not made in time', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout'],
  ])('tells only of a look-up or a connection for sure that nothing was sent: %s', (_, cause, failure) => {
    expect(failureBecause(cause)).toBe(failure);
  });
});

describe('retrying', () => {
  it.each([
    ['an error', oops],
    ['a broken response', text(200, '{')],
    ['a lost connection', reset],
    ['silence', silence],
  ])('repeats a read after %s', async (_, failing) => {
    answers = [failing, done];
    expect(await call(read, failing === silence ? soon : {})).toEqual({ success: true });
    expect(server.requests).toHaveLength(2);
  });

  it('stops repeating a read after three tries', async () => {
    answers = [oops];
    await expect(call(read)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['a rejection', json(400, { error: { message: 'No', code: 100 } })],
    ['rejected credentials', json(401, { error: { message: 'No', code: 190 } })],
    ['a rate limit', json(429, { error: { message: 'No', code: 4 } })],
  ])('does not repeat a read after %s', async (_, failing) => {
    answers = [failing, done];
    await expect(call(read)).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });

  it.each(['POST', 'DELETE'] as const)('never repeats a %s request', async (method) => {
    answers = [oops, done];
    await expect(call({ method, path: '123' })).rejects.toMatchObject({ failure: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the deadline', () => {
  it('prevents a call from being sent after it has passed', async () => {
    answers = [done];
    await expect(call(change, {}, Date.now())).rejects.toMatchObject({
      failure: 'timeout',
      outcomeIsUnknown: false,
    });
    expect(server.requests).toEqual([]);
  });

  it('ends a call whose own timeout is later', async () => {
    answers = [silence];
    const calling = call(change, { timeoutMs: 600_000 }, Date.now() + 100);
    await expect(calling).rejects.toMatchObject({ failure: 'timeout' });
  });

  it('leaves no time for another try', async () => {
    answers = [oops, done];
    await expect(call(read, { timeoutMs: 400_000 }, Date.now() + 90_000)).rejects.toMatchObject({
      failure: 'unavailable',
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a body that is read while it is sent', () => {
  const file = { type: 'application/pdf', size: 300_000, open: chunks };

  async function* chunks() {
    for (let sent = 0; sent < 300_000; sent += 100_000) yield Buffer.alloc(100_000, 97);
  }

  const upload = (fileSettings: Partial<typeof file> = {}, deadline?: number, settings = {}) => {
    const stream = multipartForm({ messaging_product: 'whatsapp' }, { ...file, ...fileSettings }, 'file.jpg');
    return call({ method: 'POST', path: '1/media', stream }, settings, deadline);
  };
  const failureOf = async (sent: Promise<unknown>) => sent.catch((error: unknown) => error);

  it('arrives as a form, with its length', async () => {
    answers = [json(200, { id: '1' })];
    expect(await upload()).toEqual({ id: '1' });
    const { headers, body } = server.requests[0] ?? {};
    expect(Number(headers?.['content-length'])).toBe(body?.length);
    const type = { 'content-type': String(headers?.['content-type']) };
    const form = await new Response(body, { headers: type }).formData();
    expect(form.get('messaging_product')).toBe('whatsapp');
    const part = form.get('file') as File;
    expect([part.type, part.size]).toEqual(['application/pdf', file.size]);
  });

  it('has changed nothing if it did not end in time', async () => {
    const endless = async function* () {
      yield Buffer.alloc(1_000);
      await new Promise(() => {});
    };
    const error = await failureOf(upload({ open: endless }, Date.now() + 300));
    expect(error).toMatchObject({ failure: 'timeout', outcomeIsUnknown: false });
  });

  it('has changed nothing if the connection ends before its last part', async () => {
    const impatient = createServer((request) => request.once('data', () => request.socket.destroy()));
    const { url: baseUrl, close } = await listenOnLoopback(impatient, 0);
    const waiting = async function* () {
      yield Buffer.alloc(1_000);
      await new Promise(() => {});
    };
    const error = await failureOf(upload({ open: waiting }, undefined, { baseUrl }));
    await close();
    expect(error).toMatchObject({ failure: 'broken-response', outcomeIsUnknown: false });
  });

  it('was not sent if no server listens', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await failureOf(upload({}, undefined, { baseUrl }))).toMatchObject({ failure: 'unreachable' });
  });

  it('may have changed something once it is complete', async () => {
    answers = [reset];
    expect(await failureOf(upload())).toMatchObject({ failure: 'broken-response', outcomeIsUnknown: true });
  });

  it('fails with the error of its source', async () => {
    answers = [silence];
    const broken = async function* () {
      yield Buffer.alloc(1_000);
      throw new Error('The disk is on fire');
    };
    expect(await failureOf(upload({ open: broken }))).toMatchObject({ message: 'The disk is on fire' });
  });

  it('may take until the deadline', async () => {
    answers = [silence];
    const settings = { timeoutMs: 1 };
    const stream = multipartForm({}, file, 'file.jpg');
    const sent = call({ method: 'POST', path: '1/media', stream }, settings, Date.now() + 500);
    expect(await failureOf(sent)).toMatchObject({ failure: 'timeout', outcomeIsUnknown: true });
  });
});

it.each([
  'EAAtest',
  'a-secret',
  'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1',
  'https://example.com/?access_token=another',
])('an error does not quote the secret %s, although the platform does', async (secret) => {
  answers = [json(401, { error: { message: `Malformed access token ${secret} is "${secret}"`, code: 190 } })];
  const request = { method: 'POST', path: '1', json: { verify_token: 'a-secret' } } as const;
  await expect(call(request)).rejects.toThrow('Malformed access token … is "…"');
});

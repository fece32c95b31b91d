import { createHmac } from 'node:crypto';
import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import {
  accessToken,
  appSecret,
  assetForm,
  startTestUpstream,
  validFlowJson,
  wabaId,
} from '#support/worlds/simulated-graph.ts';

const upstream = forAllTests(() => startTestUpstream());

const flowsUrl = (query = '', version = '/v25.0') => `${upstream.url}${version}/${wabaId}/flows${query}`;
const authorization = `Bearer ${accessToken}`;

describe('access token', () => {
  it.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer nope' }],
    ['another scheme', { authorization: `Basic ${accessToken}` }],
  ])('a request is rejected if its token is missing or wrong: %s', async (_, headers) => {
    const response = await fetch(flowsUrl(), { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringContaining('access token'),
        type: 'OAuthException',
        code: 190,
        is_transient: false,
        fbtrace_id: response.headers.get('x-fb-trace-id'),
      },
    });
  });

  it('may be sent in the query, with a proof of the app secret', async () => {
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex');
    expect((await fetch(flowsUrl(`?access_token=${accessToken}`))).status).toBe(200);
    expect((await fetch(flowsUrl(`?access_token=${accessToken}&appsecret_proof=${proof}`))).status).toBe(200);
    expect((await fetch(flowsUrl(`?access_token=${accessToken}&appsecret_proof=0`))).status).toBe(400);
  });
});

describe('responses', () => {
  it.each([
    ['', 'v25.0'],
    ['/v19.0', 'v19.0'],
    ['/v26.0', 'v26.0'],
  ])('under %j have the version %s', async (prefix, version) => {
    const { status, headers } = await fetch(flowsUrl('', prefix), { headers: { authorization } });
    expect(status).toBe(200);
    expect(headers.get('facebook-api-version')).toBe(version);
    expect(headers.get('x-fb-trace-id')).toMatch(/^[\w-]{22}$/);
    expect(JSON.parse(headers.get('x-app-usage') ?? '')).toEqual({ call_count: 1, total_cputime: 1, total_time: 1 });
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')[wabaId]).toEqual([
      { type: 'whatsapp', call_count: 1, total_cputime: 1, total_time: 1, estimated_time_to_regain_access: 0 },
    ]);
  });

  it('link to the public address if there is one, to other pages with the token, as Graph does', async () => {
    const local = await startTestUpstream({ publicUrl: 'https://graph.example.com' });
    await local.createFlow();
    const id = await local.createFlow({ flow_json: validFlowJson });
    const { next } = (await local.graph('GET', `/${wabaId}/flows?limit=1`)).json.paging;
    expect(next).toMatch(
      new RegExp(
        `^https://graph\\.example\\.com/v25\\.0/${wabaId}/flows\\?limit=1&after=\\w+&access_token=${accessToken}$`,
      ),
    );
    const { download_url } = (await local.graph('GET', `/${id}/assets`)).json.data[0];
    expect(download_url).toMatch(/^https:\/\/graph\.example\.com\//);
    await local.close();
  });

  it('are errors for paths that Graph does not have', async () => {
    const { status, json } = await upstream.graph('GET', '/1/2/3');
    expect([status, json.error.code]).toEqual([400, 2500]);
  });

  it('are 404 for control paths that do not exist', async () => {
    expect((await upstream.control('GET', '/nothing')).status).toBe(404);
    expect((await upstream.control('GET', '/flows/1/flow.json')).status).toBe(404);
  });
});

describe('state', () => {
  it('is not shared between two upstreams', async () => {
    const other = await startTestUpstream();
    await upstream.createFlow();
    expect((await other.control('GET', '/flows')).json.data).toEqual([]);
    await other.close();
  });
});

describe('hostile input', () => {
  const post = (body: string | Buffer, contentType: string) =>
    fetch(flowsUrl(), { method: 'POST', headers: { authorization, 'content-type': contentType }, body });
  const errorCode = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: number } };
    return [response.status, error.code];
  };

  it.each(['__proto__', 'constructor', 'toString', '🤷 "\\ \u0000', '<script>'])(
    'a Flow may have the name %j',
    async (name) => {
      const id = await upstream.createFlow({ name });
      expect((await upstream.graph('GET', `/${id}`)).json.name).toBe(name);
      await expect(upstream.createFlow({ name })).rejects.toThrow('not unique');
    },
  );

  it('a polluted JSON body changes nothing', async () => {
    const body = '{"__proto__":{"name":"n","categories":["OTHER"]},"constructor":{"prototype":{"name":"n"}}}';
    expect(await errorCode(await post(body, 'application/json'))).toEqual([400, 100]);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it.each([
    ['{"name":', 'application/json'],
    ['[]', 'application/json'],
    ['null', 'application/json'],
    ['', 'application/json'],
    ['{"name":"n","categories":["OTHER"]}', 'text/plain'],
    ['<a/>', 'application/xml'],
    ['no parts', 'multipart/form-data; boundary=x'],
    ['--x\r\n', 'multipart/form-data'],
    ['{"name":"n"}', 'nonsense'],
  ])('the malformed body %j as %s is rejected', async (body, contentType) => {
    expect(await errorCode(await post(body, contentType))).toEqual([400, 100]);
  });

  it('a Flow JSON of exactly 10 MB is stored, one byte more is not', async () => {
    const id = await upstream.createFlow();
    const limit = 10 * 1024 * 1024;
    const large = validFlowJson.replace('Welcome', 'W'.repeat(limit - validFlowJson.length + 'Welcome'.length));
    expect(large.length).toBe(limit);
    const upload = (text: string) => upstream.graph('POST', `/${id}/assets`, assetForm(text));
    expect((await upload(large)).json).toEqual({ success: true, validation_errors: [] });
    expect((await upload(`${large} `)).json.error).toMatchObject({
      code: 100,
      message: expect.stringMatching(/10 MB/),
    });
    const { download_url } = (await upstream.graph('GET', `/${id}/assets`)).json.data[0];
    expect((await (await fetch(download_url)).text()).length).toBe(limit);
    await upstream.graph('DELETE', `/${id}`);
  });

  it('a request larger than any Flow is rejected', async () => {
    const response = await post(Buffer.alloc(65 * 1024 * 1024, ' '), 'application/json');
    expect(await errorCode(response)).toEqual([413, 100]);
  });

  it('deep nesting is rejected without a crash', async () => {
    const id = await upstream.createFlow();
    for (const text of ['['.repeat(500_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
      const { json } = await upstream.graph('POST', `/${id}/assets`, assetForm(text));
      expect(json.validation_errors).toMatchObject([{ error: 'INVALID_FLOW_JSON' }]);
    }
    expect(await errorCode(await post(`{"name":${'['.repeat(1_000_000)}`, 'application/json'))).toEqual([400, 100]);
  });

  it('an invalid request target is rejected', async () => {
    const socket = createConnection(Number(new URL(upstream.url).port), '127.0.0.1');
    socket.end('GET // HTTP/1.1\r\nHost: localhost:99999\r\nConnection: close\r\n\r\n');
    const chunks = await socket.setEncoding('utf8').toArray();
    expect(chunks.join('')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

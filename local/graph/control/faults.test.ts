import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';

const upstream = forEachTest(() => startTestUpstream());

const inject = (fault: Record<string, unknown>, rule: Record<string, unknown> = {}) =>
  upstream.control('POST', '/faults', { fault, ...rule });
const create = (name = 'n') => upstream.graph('POST', `/${wabaId}/flows`, { name, categories: ['OTHER'] });
const count = async () => (await upstream.control('GET', '/flows')).json.data.length;
const requests = async () => (await upstream.control('GET', '/requests')).json.data;

/** What a client sees that waits no longer than 100 ms. */
async function createWithTimeout(): Promise<string> {
  const headers = { authorization: 'Bearer EAAtest', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'n', categories: ['OTHER'] });
  const signal = AbortSignal.timeout(100);
  return fetch(`${upstream.url}/${wabaId}/flows`, { method: 'POST', headers, body, signal }).then(
    ({ status }) => String(status),
    (error: Error) => error.name,
  );
}

describe('faults', () => {
  it('error: the response is the error with its headers, once', async () => {
    await inject({
      kind: 'error',
      status: 429,
      error: { code: 80008, message: '(#80008) Too many calls' },
      headers: { 'retry-after': '7', 'x-business-use-case-usage': '{}' },
    });
    const { status, headers, json } = await create();
    expect(status).toBe(429);
    expect(json.error).toEqual({
      message: '(#80008) Too many calls',
      type: 'OAuthException',
      code: 80008,
      is_transient: false,
      fbtrace_id: headers.get('x-fb-trace-id'),
    });
    expect(headers.get('retry-after')).toBe('7');
    expect(headers.get('x-business-use-case-usage')).toBe('{}');
    expect(await count()).toBe(0);
    expect((await create()).status).toBe(200);
  });

  it('timeout: the request is not carried out', async () => {
    await inject({ kind: 'timeout' });
    expect(await createWithTimeout()).toBe('TimeoutError');
    expect(await count()).toBe(0);
  });

  it('accept_then_timeout: the request is carried out', async () => {
    await inject({ kind: 'accept_then_timeout' });
    expect(await createWithTimeout()).toBe('TimeoutError');
    expect(await count()).toBe(1);
    expect((await create()).json.error.error_user_title).toBe('Flow name is not unique');
  });

  it('reset: the connection ends and the request is not carried out', async () => {
    await inject({ kind: 'reset' });
    await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await count()).toBe(0);
  });

  it('accept_then_reset: the connection ends after the request is carried out', async () => {
    await inject({ kind: 'accept_then_reset' });
    await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await count()).toBe(1);
  });

  it('slow: the response is late', async () => {
    await inject({ kind: 'slow', ms: 50 });
    const start = performance.now();
    expect((await create()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  });

  it('malformed: the response is a page of HTML, or half of the body', async () => {
    const post = async () => {
      const body = new URLSearchParams({ name: 'n', categories: '["OTHER"]' });
      return fetch(`${upstream.url}/${wabaId}/flows?access_token=EAAtest`, { method: 'POST', body });
    };
    await inject({ kind: 'malformed' });
    const page = await post();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<html>');
    expect(await count()).toBe(0);

    await inject({ kind: 'malformed', body: 'truncated_json' });
    const half = await post();
    expect([half.status, half.headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8']);
    await expect(half.json()).rejects.toThrow(SyntaxError);
    expect(await count()).toBe(1);
  });

  it('affect matching requests, as often as specified', async () => {
    const id = await upstream.createFlow();
    const fault = { kind: 'error', status: 500, error: { code: 1 } };
    await inject(fault, { match: { path: '/*/publish' }, times: 2 });
    await inject(fault, { match: { path: 'update_flow' } });
    await inject(fault, { match: { method: 'delete', path: '/*' } });

    const publish = () => upstream.graph('POST', `/${id}/publish`);
    expect((await upstream.graph('GET', `/${id}`)).status).toBe(200);
    expect([(await publish()).status, (await publish()).status, (await publish()).status]).toEqual([500, 500, 400]);
    expect((await upstream.graph('POST', `/${id}`, {})).status).toBe(500);
    expect((await upstream.graph('POST', `/${id}`, {})).status).toBe(200);
    expect((await upstream.graph('DELETE', `/${id}`)).status).toBe(500);
    expect((await upstream.graph('DELETE', `/${id}`)).status).toBe(200);
  });

  it('faults are listed and cleared', async () => {
    await inject({ kind: 'reset' }, { times: 3 });
    expect((await upstream.control('GET', '/faults')).json.data).toEqual([
      { match: {}, times: 3, fault: { kind: 'reset' } },
    ]);
    await upstream.control('DELETE', '/faults');
    expect((await upstream.control('GET', '/faults')).json.data).toEqual([]);
    expect((await create()).status).toBe(200);
  });

  it.each([
    {},
    { fault: { kind: 'explode' } },
    { fault: { kind: 'slow' } },
    { fault: { kind: 'error', status: 200, error: { code: 1 } } },
    { fault: { kind: 'reset' }, times: 0 },
    { fault: { kind: 'reset' }, match: { operation: 'create_flow' } },
    { fault: { kind: 'reset' }, extra: true },
  ])('are rejected if malformed: %j', async (rule) => {
    const { status, json } = await upstream.control('POST', '/faults', rule);
    expect(status).toBe(400);
    expect(json.error.message).not.toBe('');
    expect((await upstream.control('GET', '/faults')).json.data).toEqual([]);
  });

  it('do not prevent the server from closing', async () => {
    await inject({ kind: 'timeout' });
    await inject({ kind: 'slow', ms: 600_000 });
    const creations = Promise.allSettled([create('a'), create('b')]);
    await expect.poll(async () => (await requests()).length).toBe(2);
    await upstream.close();
    expect((await creations).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('request log', () => {
  it('contains the requests, without credentials', async () => {
    await inject({ kind: 'accept_then_reset' });
    await create('a').catch(() => undefined);
    await create('b');
    await fetch(`${upstream.url}/v26.0/?access_token=EAAtest`);
    const entries = await requests();
    const common = { at: expect.any(String), method: 'POST', path: `/v25.0/${wabaId}/flows`, operation: 'create_flow' };
    expect(entries).toEqual([
      { ...common, status: null, fault: 'accept_then_reset' },
      { ...common, status: 200, fault: null },
      { at: expect.any(String), method: 'GET', path: '/v26.0/', operation: 'get_flow', status: 400, fault: null },
    ]);
    expect(JSON.stringify(entries)).not.toContain('EAAtest');
  });
});

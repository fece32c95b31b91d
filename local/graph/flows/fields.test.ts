import { describe, expect, it } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { type Answer, endpointFlowJson, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';

const clock = Date.UTC(2026, 10, 20, 12, 0, 0, 500);
const upstream = forAllTests(() => startTestUpstream({ now: () => clock }));

const get = async (id: string, fields: string) =>
  (await upstream.graph('GET', `/${id}?fields=${encodeURIComponent(fields)}`)).json;

describe('fields of a Flow', () => {
  it('fields of a Flow are returned on request', async () => {
    const id = await upstream.createFlow({
      flow_json: endpointFlowJson,
      endpoint_uri: 'https://example.com/flow',
    });
    const fields = 'json_version,data_api_version,endpoint_uri,updated_at';
    expect(await get(id, fields)).toEqual({
      json_version: '7.3',
      data_api_version: '3.0',
      endpoint_uri: 'https://example.com/flow',
      updated_at: '2026-11-20T12:00:00+0000',
      id,
    });
  });

  it.each(['nothing', 'constructor', '__proto__', 'id,', 'preview.invalidate(', ''])(
    'are rejected if they are unknown, but may be empty: %j',
    async (fields) => {
      const { status, json } = await upstream.graph('GET', `/${await upstream.createFlow()}?fields=${fields}`);
      if (fields === '' || fields === 'id,') expect(status).toBe(200);
      else expect([status, json.error.code]).toEqual([400, 100]);
    },
  );
});

describe('health', () => {
  it('reports what prevents a draft from being sent', async () => {
    const id = await upstream.createFlow();
    const { health_status } = await get(id, 'health_status');
    expect(health_status.can_send_message).toBe('BLOCKED');
    expect(health_status.entities[0]).toMatchObject({ entity_type: 'FLOW', id, errors: [{ error_code: 139002 }] });
  });
});

describe('list', () => {
  it('returns all Flows of an account, newest first', async () => {
    const listing = await startTestUpstream();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await listing.createFlow());
    const idsOf = (json: Answer['json']) => json.data.map(({ id }: { id: string }) => id);

    const first = (await listing.graph('GET', `/${wabaId}/flows?limit=2`)).json;
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const follow = async (url: string) => (await listing.graph('GET', url.replace(`${listing.url}/v25.0`, ''))).json;
    const second = await follow(first.paging.next);
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    const third = await follow(second.paging.next);
    expect(idsOf(third)).toEqual(ids.slice(4));
    expect(third.paging.next).toBeUndefined();
    expect(first.paging.previous).toBeUndefined();
    expect(idsOf(await follow(third.paging.previous))).toEqual(ids.slice(2, 4));
    const firstAgain = await follow(second.paging.previous);
    expect([idsOf(firstAgain), firstAgain.paging.previous]).toEqual([ids.slice(0, 2), undefined]);

    await listing.graph('DELETE', `/${ids[1]}`);
    expect(idsOf(await follow(first.paging.next))).toEqual(ids.slice(2, 4));
    await listing.close();
  });

  it('returns the default fields, or the requested ones', async () => {
    const listing = await startTestUpstream();
    expect((await listing.graph('GET', `/${wabaId}/flows`)).json).toEqual({ data: [] });
    const id = await listing.createFlow({ name: 'only', categories: ['SURVEY'] });
    expect((await listing.graph('GET', `/${wabaId}/flows`)).json.data).toEqual([
      { id, name: 'only', status: 'DRAFT', categories: ['SURVEY'], validation_errors: [] },
    ]);
    expect((await listing.graph('GET', `/${wabaId}/flows?fields=name`)).json.data).toEqual([{ name: 'only', id }]);
    await listing.close();
  });
});

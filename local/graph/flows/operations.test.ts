import { describe, expect, it } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import {
  assetForm,
  endpointFlowJson,
  otherWabaId,
  startTestUpstream,
  validFlowJson,
  wabaId,
} from '#support/worlds/simulated-graph.ts';

const unknownId = '999';

/** Its terms have no Footer: users leave them by going back. */
const deadEndFlowJson = JSON.stringify({
  version: '7.3',
  screens: [
    {
      id: 'ORDER',
      title: 'Order',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          {
            type: 'EmbeddedLink',
            text: 'Terms',
            'on-click-action': { name: 'navigate', next: { type: 'screen', name: 'TERMS' }, payload: {} },
          },
          { type: 'Footer', label: 'Send', 'on-click-action': { name: 'complete', payload: {} } },
        ],
      },
    },
    {
      id: 'TERMS',
      title: 'Terms',
      layout: { type: 'SingleColumnLayout', children: [{ type: 'TextBody', text: 'Be kind.' }] },
    },
  ],
});

const upstream = forAllTests(() => startTestUpstream());

const create = (body: Record<string, unknown> | FormData | URLSearchParams, waba = wabaId) =>
  upstream.graph('POST', `/${waba}/flows`, body);
const get = async (id: string, fields: string) => (await upstream.graph('GET', `/${id}?fields=${fields}`)).json;

describe('create', () => {
  it('creates an empty draft', async () => {
    const { status, json } = await create({ name: 'Sign up', categories: ['SIGN_UP', 'OTHER'] });
    expect(status).toBe(200);
    expect(json).toEqual({ id: expect.stringMatching(/^\d{15,17}$/) });
    expect((await upstream.graph('GET', `/${json.id}`)).json).toEqual({
      id: json.id,
      name: 'Sign up',
      status: 'DRAFT',
      categories: ['SIGN_UP', 'OTHER'],
      validation_errors: [],
    });
  });

  it('stores a Flow JSON with errors as a draft and reports them', async () => {
    const { status, json } = await create({ name: 'with errors', categories: ['OTHER'], flow_json: '{}' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ success: true, validation_errors: [{ error: 'MISSING_FLOW_JSON_VERSION' }, {}] });
    expect((await get(json.id, 'validation_errors')).validation_errors).toEqual(json.validation_errors);
  });

  it('publishes at once on request if possible', async () => {
    const flow = { categories: ['OTHER'], publish: true };
    const good = await create({ ...flow, name: 'at once', flow_json: validFlowJson });
    expect(good.json).toEqual({ id: good.json.id, success: true, validation_errors: [] });
    expect(await upstream.statusOf(good.json.id)).toBe('PUBLISHED');

    const deadEnd = await create({ ...flow, name: 'with a dead end', flow_json: deadEndFlowJson });
    expect(deadEnd.json).toEqual({ id: deadEnd.json.id, success: true, validation_errors: [] });
    expect(await upstream.statusOf(deadEnd.json.id)).toBe('PUBLISHED');

    const bad = await create({ ...flow, name: 'not yet', flow_json: '{}' });
    expect(bad.json.success).toBe(false);
    expect(await upstream.statusOf(bad.json.id)).toBe('DRAFT');

    expect((await create({ ...flow, name: 'nothing' })).json.error.code).toBe(100);
  });

  it('requires names to be unique within an account', async () => {
    const flow = { name: 'taken', categories: ['OTHER'] };
    await create(flow);
    const { status, json } = await create(flow);
    expect(status).toBe(400);
    expect(json.error).toEqual({
      message: 'Invalid parameter',
      type: 'OAuthException',
      code: 100,
      error_subcode: 4016019,
      is_transient: false,
      error_user_title: 'Flow name is not unique',
      error_user_msg: expect.stringContaining('same name'),
      fbtrace_id: expect.any(String),
    });
    expect((await create(flow, otherWabaId)).status).toBe(200);
  });

  it.each([
    ['no name', { categories: ['OTHER'] }],
    ['a blank name', { name: ' ', categories: ['OTHER'] }],
    ['a long name', { name: 'n'.repeat(201), categories: ['OTHER'] }],
    ['a name that is not a string', { name: { a: 1 }, categories: ['OTHER'] }],
    ['no categories', { name: 'n' }],
    ['empty categories', { name: 'n', categories: [] }],
    ['an unknown category', { name: 'n', categories: ['constructor'] }],
    ['categories that are not a list', { name: 'n', categories: 'OTHER' }],
    ['a Flow JSON that is not a string', { name: 'n', categories: ['OTHER'], flow_json: {} }],
    ['a publish that is not a boolean', { name: 'n', categories: ['OTHER'], publish: 'soon' }],
    ['an endpoint without https', { name: 'n', categories: ['OTHER'], endpoint_uri: 'http://example.com' }],
    ['an endpoint that is not a URL', { name: 'n', categories: ['OTHER'], endpoint_uri: 'example' }],
  ])('rejects a request with %s', async (_, body) => {
    const { status, json } = await create(body);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: 100, type: 'OAuthException' });
  });
});

describe('update', () => {
  it('changes the given members and keeps the rest', async () => {
    const id = await upstream.createFlow({ name: 'before', endpoint_uri: 'https://example.com/flow' });
    expect((await upstream.graph('POST', `/${id}`, { name: 'after' })).json).toEqual({ success: true });
    await upstream.graph('POST', `/${id}`, { categories: ['SIGN_IN'] });
    expect(await get(id, 'name,categories,endpoint_uri')).toEqual({
      id,
      name: 'after',
      categories: ['SIGN_IN'],
      endpoint_uri: 'https://example.com/flow',
    });
  });
});

describe('update JSON', () => {
  const upload = (id: string, form: FormData) => upstream.graph('POST', `/${id}/assets`, form);

  it('stores the text unchanged and serves it', async () => {
    const id = await upstream.createFlow();
    expect((await upload(id, assetForm(validFlowJson))).json).toEqual({ success: true, validation_errors: [] });
    const { json } = await upstream.graph('GET', `/${id}/assets`);
    expect(json).toEqual({
      data: [{ name: 'flow.json', asset_type: 'FLOW_JSON', download_url: expect.any(String) }],
      paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
    });
    expect(await (await fetch(json.data[0].download_url)).text()).toBe(validFlowJson);
  });

  it('stores text that is not JSON, and reports where it is invalid', async () => {
    const id = await upstream.createFlow();
    const { status, json } = await upload(id, assetForm('{\n  oops'));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      validation_errors: [{ error: 'INVALID_FLOW_JSON', line_start: 2, column_start: 3 }],
    });
  });
});

describe('states', () => {
  it.each([
    ['DRAFT', 'DRAFT'],
    ['PUBLISHED', 'DRAFT'],
    ['THROTTLED', 139001],
    ['BLOCKED', 139001],
    ['DEPRECATED', 139001],
  ])('an edit in %s leads to %s', async (from, to) => {
    for (const edit of [
      (id: string) => upstream.graph('POST', `/${id}`, { categories: ['SURVEY'] }),
      (id: string) => upstream.graph('POST', `/${id}/assets`, assetForm(validFlowJson)),
    ]) {
      const id = await upstream.createFlowIn(from);
      const { status, json } = await edit(id);
      expect(status === 200 ? await upstream.statusOf(id) : json.error.code).toBe(to);
    }
  });

  it.each([
    ['DRAFT', 'PUBLISHED'],
    ['PUBLISHED', 139002],
    ['THROTTLED', 139002],
    ['BLOCKED', 139002],
    ['DEPRECATED', 139002],
  ])('publish in %s leads to %s', async (from, to) => {
    const id = await upstream.createFlowIn(from);
    const { status, json } = await upstream.graph('POST', `/${id}/publish`);
    expect(status === 200 ? await upstream.statusOf(id) : json.error.code).toBe(to);
  });

  it.each([
    ['DRAFT', 139003],
    ['PUBLISHED', 'DEPRECATED'],
    ['THROTTLED', 'DEPRECATED'],
    ['BLOCKED', 'DEPRECATED'],
    ['DEPRECATED', 139003],
  ])('deprecate in %s leads to %s', async (from, to) => {
    const id = await upstream.createFlowIn(from);
    const { status, json } = await upstream.graph('POST', `/${id}/deprecate`);
    expect(status === 200 ? await upstream.statusOf(id) : json.error.code).toBe(to);
  });

  it.each(['PUBLISHED', 'THROTTLED', 'BLOCKED', 'DEPRECATED'])('delete in %s is rejected', async (from) => {
    const id = await upstream.createFlowIn(from);
    expect((await upstream.graph('DELETE', `/${id}`)).json.error).toMatchObject({
      code: 139004,
      message: "(#139004) Can't delete published Flow",
    });
    expect(await upstream.statusOf(id)).toBe(from);
  });

  it('a deleted draft no longer exists', async () => {
    const id = await upstream.createFlow({ name: 'free again' });
    expect((await upstream.graph('DELETE', `/${id}`)).json).toEqual({ success: true });
    expect((await upstream.graph('GET', `/${id}`)).json.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await upstream.graph('DELETE', `/${id}`)).json.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect(await upstream.createFlow({ name: 'free again' })).not.toBe(id);
  });

  it('monitoring changes the status of published Flows only', async () => {
    const id = await upstream.createFlowIn('PUBLISHED');
    for (const status of ['THROTTLED', 'BLOCKED', 'THROTTLED', 'PUBLISHED', 'DEPRECATED']) {
      const answer = await upstream.control('POST', `/flows/${id}/status`, { status });
      expect(answer.json.status).toBe(status);
      expect(await upstream.statusOf(id)).toBe(status);
    }
    expect((await upstream.control('POST', `/flows/${id}/status`, { status: 'PUBLISHED' })).status).toBe(409);
    const draft = await upstream.createFlow();
    expect((await upstream.control('POST', `/flows/${draft}/status`, { status: 'BLOCKED' })).status).toBe(409);
    expect((await upstream.control('POST', `/flows/${draft}/status`, { status: 'DRAFT' })).status).toBe(400);
    expect((await upstream.control('POST', `/flows/${unknownId}/status`, { status: 'BLOCKED' })).status).toBe(404);
  });
});

describe('publish is rejected', () => {
  it.each([
    ['without a Flow JSON', {}, 'Publishing Flow with validation errors'],
    ['with validation errors', { flow_json: '{}' }, 'Publishing Flow with validation errors'],
    [
      'with a frozen version',
      { flow_json: validFlowJson.replace('7.3', '4.0') },
      'Versions in Flow JSON are not available for publishing',
    ],
    [
      'without an endpoint for data exchange',
      { flow_json: endpointFlowJson },
      'Publishing without specifying endpoint_uri is forbidden',
    ],
  ])('for a Flow with this defect: %s', async (_, body, title) => {
    const id = await upstream.createFlow(body);
    const { status, json } = await upstream.graph('POST', `/${id}/publish`);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: 139002, error_user_title: title });
    expect(await upstream.statusOf(id)).toBe('DRAFT');
  });

  it('in an account without a phone number', async () => {
    const id = await upstream.createFlow({ flow_json: validFlowJson }, otherWabaId);
    const { json } = await upstream.graph('POST', `/${id}/publish`);
    expect(json.error).toMatchObject({ code: 139002, error_user_title: 'No Phone Number connected' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as deleteFlow } from '#functions/flows/delete-flow/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlow } from '#functions/flows/update-flow/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import {
  canary,
  type FlowObject,
  type FlowService,
  flowJson,
  newFlow,
  nextMillisecond,
  startFlowService,
} from '../../../support/flows/flow-service.ts';

let service: FlowService;
let workspace: string;

beforeAll(async () => {
  service = await startFlowService();
  workspace = await service.newWorkspace();
});
afterAll(() => service.close());

const paramsOf = ({ id: flow }: { id: string }) => ({ workspace, flow });
const read = (flow: FlowObject) => service.api.succeed(getFlow, { params: paramsOf(flow) });
const publish = (flow: FlowObject) => service.api.call(publishFlow, { params: paramsOf(flow) });
const remove = (flow: FlowObject) => service.api.call(deleteFlow, { params: paramsOf(flow) });
const update = (flow: FlowObject, body: unknown) => service.api.call(updateFlow, { params: paramsOf(flow), body });
const updateJson = (flow: FlowObject, json: unknown) =>
  service.api.succeed(updateFlowJson, { params: paramsOf(flow), body: { json } });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The members of a Flow, in their order. */
const members = [
  'id',
  'wa_id',
  'status',
  'version',
  'name',
  'categories',
  'json',
  'endpoint_encrypted',
  'endpoint_url',
  'created_at',
  'updated_at',
];

describe('create', () => {
  it('returns 201 with the bare Flow object and its URL', async () => {
    const body = newFlow({ categories: [3, 1] });
    const before = Date.now();
    const reply = await service.api.call(createFlow, { params: { workspace }, body });
    const flow = reply.body as FlowObject;

    expect(reply.status).toBe(201);
    expect(Object.keys(flow)).toEqual(members);
    expect(flow).toEqual({
      id: expect.stringMatching(uuid),
      wa_id: expect.stringMatching(/^\d+$/),
      status: { id: 1, code: 'DRAFT', description: 'Draft' },
      version: null,
      name: body.name,
      categories: [
        { id: 3, code: 'APPOINTMENT_BOOKING', description: 'Appointment booking' },
        { id: 1, code: 'SIGN_UP', description: 'Sign up' },
      ],
      json: {},
      endpoint_encrypted: true,
      endpoint_url: null,
      created_at: expect.stringMatching(microseconds),
      updated_at: flow.created_at,
    });
    expect(Date.parse(flow.created_at)).toBeGreaterThanOrEqual(before);

    const location = String(reply.headers.get('location'));
    expect(location).toBe(`${service.baseUrl}/v2/workspaces/${workspace}/flows/${flow.id}`);
    const { owner } = service.world.description.tokens;
    const found = await fetch(location, { headers: { authorization: `Bearer ${owner}` } });
    expect(await found.text()).toBe(reply.text);
  });

  it('creates the Flow upstream, with the returned wa_id, name and categories', async () => {
    const flow = await service.draft(workspace, { categories: [8, 7] });
    expect(await service.upstreamFlow(flow.wa_id)).toMatchObject({
      name: flow.name,
      status: 'DRAFT',
      categories: ['OTHER', 'SURVEY'],
      endpoint_uri: null,
    });
  });

  it('rejects a name that the business account already has, with the upstream’s message', async () => {
    const { name } = await service.draft(workspace);
    const reply = await service.api.call(createFlow, { params: { workspace }, body: newFlow({ name }) });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ message: 'Another Flow of this WhatsApp Business Account has the same name.' });
    expect(reply.headers.get('x-upstream-error-code')).toBe('100');
  });
});

describe('categories', () => {
  it('are the same eight here and upstream', async () => {
    const flow = await service.draft(workspace, { categories: [1, 2, 3, 4, 5, 6, 7, 8] });
    expect(flow.categories.map(({ id, code }) => [id, code])).toEqual([
      [1, 'SIGN_UP'],
      [2, 'SIGN_IN'],
      [3, 'APPOINTMENT_BOOKING'],
      [4, 'LEAD_GENERATION'],
      [5, 'CONTACT_US'],
      [6, 'CUSTOMER_SUPPORT'],
      [7, 'SURVEY'],
      [8, 'OTHER'],
    ]);
    expect((await service.upstreamFlow(flow.wa_id))?.categories).toEqual(flow.categories.map(({ code }) => code));
  });
});

describe('the endpoint', () => {
  const endpoint_url = `https://${canary}.example.com/flow?x=1`;

  it.each([true, false])('is stored with endpoint_encrypted %s, and the upstream gets ours', async (encrypted) => {
    const flow = await service.draft(workspace, { endpoint_url, endpoint_encrypted: encrypted });
    expect(flow).toMatchObject({ endpoint_url, endpoint_encrypted: encrypted });
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBe(
      `${service.baseUrl}/v2/flows/${flow.id}/endpoint`,
    );
  });

  it('may be plain http on loopback in the local world', async () => {
    const url = 'http://127.0.0.1:9/flow';
    expect((await service.draft(workspace, { endpoint_url: url, endpoint_encrypted: true })).endpoint_url).toBe(url);
  });

  it('requires endpoint_encrypted, on create and on update', async () => {
    const flow = await service.draft(workspace);
    const body = newFlow({ endpoint_url });
    for (const reply of [
      await service.api.call(createFlow, { params: { workspace }, body }),
      await update(flow, body),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({
        message: 'The endpoint encrypted field is required when endpoint url is given.',
        errors: { endpoint_encrypted: ['The endpoint encrypted field is required when endpoint url is given.'] },
      });
    }
  });

  it('is null if it is null or absent; endpoint_encrypted is then optional and defaults to true', async () => {
    expect(await service.draft(workspace, { endpoint_url: null })).toMatchObject({
      endpoint_url: null,
      endpoint_encrypted: true,
    });
    expect(await service.draft(workspace, { endpoint_encrypted: false })).toMatchObject({
      endpoint_url: null,
      endpoint_encrypted: false,
    });
  });

  it('is kept by an update that omits it, removed by null, and set again', async () => {
    const flow = await service.draft(workspace, { endpoint_url, endpoint_encrypted: false });
    const kept = await update(flow, newFlow({ name: flow.name }));
    expect(kept.body).toMatchObject({ endpoint_url, endpoint_encrypted: false });
    const uri = `${service.baseUrl}/v2/flows/${flow.id}/endpoint`;
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBe(uri);
    const removed = await update(flow, newFlow({ name: flow.name, endpoint_url: null }));
    expect(removed.body).toMatchObject({ endpoint_url: null, endpoint_encrypted: true });
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBeNull();
    const again = await update(flow, newFlow({ name: flow.name, endpoint_url, endpoint_encrypted: true }));
    expect(again.body).toMatchObject({ endpoint_url, endpoint_encrypted: true });
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBe(uri);
  });

  it.each([
    'ftp://example.com',
    'http://example.com/flow',
    'https://user:secret@example.com',
    'https://',
    'javascript:alert(1)',
    '/flow',
    ' https://example.com',
    '',
  ])('the endpoint is rejected: %j', async (url) => {
    const reply = await service.api.call(createFlow, {
      params: { workspace },
      body: newFlow({ endpoint_url: url, endpoint_encrypted: true }),
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ errors: { endpoint_url: [expect.any(String)] } });
  });
});

describe('update', () => {
  it('takes what was read, with the categories as objects', async () => {
    const flow = await updateJson(await service.draft(workspace, { categories: [3, 8] }), flowJson);
    const { validation_errors: _, ...stored } = flow;
    const reply = await update(flow, flow);
    expect([reply.status, reply.body]).toEqual([200, { ...stored, updated_at: expect.stringMatching(microseconds) }]);
    expect(await service.upstreamFlow(flow.wa_id)).toMatchObject({ categories: ['APPOINTMENT_BOOKING', 'OTHER'] });
  });

  it('replaces name and categories on both sides and keeps the rest', async () => {
    const flow = await service.publishable(workspace);
    await nextMillisecond();
    const body = newFlow({ categories: [8] });
    const reply = await update(flow, body);
    const updated = reply.body as FlowObject;
    const { validation_errors: _, ...before } = flow as FlowObject & { validation_errors?: unknown };

    expect(reply.status).toBe(200);
    expect(updated).toEqual({
      ...before,
      name: body.name,
      categories: [{ id: 8, code: 'OTHER', description: 'Other' }],
      updated_at: expect.stringMatching(microseconds),
    });
    expect(updated.updated_at > flow.updated_at).toBe(true);
    expect(await read(flow)).toEqual(updated);
    expect(await service.upstreamFlow(flow.wa_id)).toMatchObject({ name: body.name, categories: ['OTHER'] });
  });

  it('may repeat the current name', async () => {
    const flow = await service.draft(workspace);
    expect((await update(flow, newFlow({ name: flow.name }))).status).toBe(200);
  });

  it('rejects the name of another Flow and changes nothing', async () => {
    const [flow, other] = [await service.draft(workspace), await service.draft(workspace)];
    const reply = await update(flow, newFlow({ name: other.name }));
    expect([reply.status, reply.headers.get('x-upstream-error-code')]).toEqual([400, '100']);
    expect(await read(flow)).toEqual(flow);
    expect((await update(flow, newFlow())).status).toBe(200);
  });
});

describe('update JSON', () => {
  it('returns the Flow followed by validation_errors', async () => {
    const flow = await service.draft(workspace);
    const updated = await updateJson(flow, flowJson);
    expect(Object.keys(updated)).toEqual([...members, 'validation_errors']);
    expect(updated).toMatchObject({ id: flow.id, json: flowJson, version: '7.3', validation_errors: [] });
    expect(await service.upstreamJson(flow.wa_id)).toEqual(flowJson);
    const { validation_errors: _, ...stored } = updated;
    expect(await read(flow)).toEqual(stored);
  });

  it('stores a draft with errors, returns them, and publishes only after they are fixed', async () => {
    const flow = await service.draft(workspace);
    const broken = { version: '7.3', screens: [] };
    const updated = await updateJson(flow, broken);
    expect(updated.validation_errors).toEqual([
      expect.objectContaining({ error: 'MIN_ITEMS_REQUIRED', message: expect.any(String) }),
    ]);
    expect((await read(flow)).json).toEqual(broken);

    const rejected = await publish(flow);
    expect([rejected.status, rejected.headers.get('x-upstream-error-code')]).toEqual([400, '139002']);
    expect(rejected.body).toEqual({ message: 'Correct the errors of the Flow JSON, then publish.' });
    expect((await read(flow)).status.code).toBe('DRAFT');

    expect((await updateJson(flow, flowJson)).validation_errors).toEqual([]);
    expect((await publish(flow)).status).toBe(200);
  });
});

describe('transitions', () => {
  const statusOf = async (flow: FlowObject) => [
    (await read(flow)).status.code,
    (await service.upstreamFlow(flow.wa_id))?.status,
  ];

  it('a DRAFT Flow can be published', async () => {
    const flow = await service.publishable(workspace);
    const reply = await publish(flow);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body as object)).toEqual(members);
    expect(reply.body).toMatchObject({ status: { id: 2, code: 'PUBLISHED', description: 'Published' } });
    expect(await statusOf(flow)).toEqual(['PUBLISHED', 'PUBLISHED']);
  });

  it('a DRAFT Flow is deleted on both sides: 204 without a body', async () => {
    const flow = await service.draft(workspace);
    const reply = await remove(flow);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await service.upstreamFlow(flow.wa_id)).toBeUndefined();
    const gone = await Promise.all([
      service.api.call(getFlow, { params: paramsOf(flow) }),
      publish(flow),
      remove(flow),
      update(flow, newFlow()),
    ]);
    expect(gone.map(({ status, body }) => [status, body])).toEqual(
      Array(4).fill([404, { message: 'Flow not found.' }]),
    );
  });

  it('a PUBLISHED Flow is deprecated by delete and remains', async () => {
    const flow = await service.published(workspace);
    const reply = await remove(flow);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body as object)).toEqual(members);
    expect(reply.body).toMatchObject({ status: { id: 3, code: 'DEPRECATED', description: 'Deprecated' } });
    expect(await statusOf(flow)).toEqual(['DEPRECATED', 'DEPRECATED']);
  });

  it('a DEPRECATED Flow remains and is returned by delete', async () => {
    const flow = await service.published(workspace);
    await remove(flow);
    const reply = await remove(flow);
    expect([reply.status, (reply.body as FlowObject).status.code]).toEqual([200, 'DEPRECATED']);
  });

  it.each(['THROTTLED', 'BLOCKED'] as const)('%s is deprecated by delete', async (status) => {
    const flow = await service.published(workspace);
    await service.moveUpstream(flow.wa_id, status);
    await service.moveStored(workspace, flow.id, status);
    expect((await read(flow)).status.code).toBe(status);
    const reply = await remove(flow);
    expect([reply.status, (reply.body as FlowObject).status.code]).toEqual([200, 'DEPRECATED']);
    expect(await statusOf(flow)).toEqual(['DEPRECATED', 'DEPRECATED']);
  });

  it('an UNKNOWN Flow is deleted according to its upstream status', async () => {
    const [draft, published] = [await service.draft(workspace), await service.published(workspace)];
    for (const { id } of [draft, published]) await service.moveStored(workspace, id, 'UNKNOWN');
    expect((await read(draft)).status).toEqual({ id: 0, code: 'UNKNOWN', description: 'Unknown' });
    expect((await remove(draft)).status).toBe(204);
    expect((await remove(published)).body).toMatchObject({ status: { code: 'DEPRECATED' } });
  });

  it('an edit turns a published Flow into a draft if the upstream does', async () => {
    const flow = await service.published(workspace);
    expect((await updateJson(flow, flowJson)).status.code).toBe('DRAFT');
    expect(await statusOf(flow)).toEqual(['DRAFT', 'DRAFT']);
    await publish(flow);
    expect((await update(flow, newFlow())).body).toMatchObject({ status: { code: 'DRAFT' } });
    // The upstream's report of the first publication may come after the edit; its report of the draft then follows.
    await expect.poll(async () => (await publish(flow)).status).toBe(200);
  });

  it.each(['THROTTLED', 'BLOCKED', 'DEPRECATED'] as const)(
    'a %s Flow cannot be edited: the upstream rejects it',
    async (status) => {
      const flow = await service.published(workspace);
      await service.moveUpstream(flow.wa_id, status);
      const reply = await update(flow, newFlow());
      expect([reply.status, reply.headers.get('x-upstream-error-code')]).toEqual([400, '139001']);
      expect(reply.body).toEqual({ message: 'A Flow in this state cannot be changed.' });
      expect((await read(flow)).name).toBe(flow.name);
    },
  );

  it.each(['PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED', 'UNKNOWN'] as const)(
    'a %s Flow cannot be published: only a draft can',
    async (status) => {
      const flow = await service.publishable(workspace);
      await service.moveStored(workspace, flow.id, status);
      const asked = (await service.upstreamRequests()).length;
      const reply = await publish(flow);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({
        message: `Only a draft can be published; this Flow is ${status.toLowerCase()}.`,
      });
      expect(await service.upstreamRequests()).toHaveLength(asked);
    },
  );
});

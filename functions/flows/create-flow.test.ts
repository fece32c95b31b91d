import { describe, expect, it, vi } from 'vitest';
import { timeOfId } from '#shared/base/ids.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { UpstreamFlows } from '#shared/flows/flows-graph.ts';
import { keyedRequests } from '#shared/operations/keyed-request.ts';
import { send } from '#support/aws/http-event.ts';
import { endpointUrlFault } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import { type FakeFlowOptions, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { memoryKeyedRequests } from '#support/fakes/memory-keyed-requests.ts';
import { createFlow as contract } from './contracts.ts';
import { makeHandler } from './create-flow.ts';

captureLog();

interface CreateOptions extends FakeFlowOptions {
  /** Another request deletes the Flow before this one has responded. */
  deleted?: boolean;
}

function create(body: unknown, { deleted = false, ...options }: CreateOptions = {}, headers = {}) {
  const { dependencies: all, records } = fakeFlowDependencies({ flows: [], ...options });
  const contextFor: typeof all.contextFor = (...args) => {
    const context = all.contextFor(...args);
    const gone = { flowJson: { ...context.flowJson, read: async () => undefined } };
    return { ...context, ...(deleted && gone) };
  };
  const dependencies = { ...all, contextFor };
  const request = { contract, caller, pathParameters: { workspace: workspace.id }, body, headers };
  return send(
    makeHandler({ ...dependencies, endpointUrlFault, keyedRequests: keyedRequests(memoryKeyedRequests()) }),
    request,
  ).then((answer) => ({ ...answer, records }));
}

const body = { name: 'Appointments', categories: [3, 8] };

describe('create-flow', () => {
  it('returns the new draft and its URL', async () => {
    const { status, json, headers } = await create(body);
    expect(status).toBe(201);
    // The list is sorted by id, so both times are that of the id.
    const instant = new Date(timeOfId(json.id)).toISOString().replace('Z', '000Z');
    expect(Object.entries(json)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['wa_id', '4400000000000001'],
      ['status', { id: 1, code: 'DRAFT', description: 'Draft' }],
      ['version', null],
      ['name', 'Appointments'],
      [
        'categories',
        [
          { id: 3, code: 'APPOINTMENT_BOOKING', description: 'Appointment booking' },
          { id: 8, code: 'OTHER', description: 'Other' },
        ],
      ],
      ['json', {}],
      ['endpoint_encrypted', true],
      ['endpoint_url', null],
      ['created_at', instant],
      ['updated_at', expect.any(String)],
    ]);
    expect(headers).toMatchObject({
      location: `https://api.example.com/v2/workspaces/${workspace.id}/flows/${json.id}`,
    });
  });

  it('registers our endpoint upstream in place of the customer’s', async () => {
    const createUpstream = vi.fn<UpstreamFlows['create']>(async () => '44');
    const endpoint = { endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };
    const { json } = await create({ ...body, ...endpoint }, { upstream: { create: createUpstream } });
    expect(json).toMatchObject({ wa_id: '44', ...endpoint });
    expect(createUpstream).toHaveBeenCalledExactlyOnceWith(workspace.waba_id, {
      name: 'Appointments',
      categories: ['APPOINTMENT_BOOKING', 'OTHER'],
      endpoint_uri: `https://api.example.com/v2/flows/${json.id}/endpoint`,
    });
  });

  it('rejects a workspace without a business account', async () => {
    const unconnected = { workspace: { ...workspace, waba_id: null } };
    expect((await create({}, unconnected)).status, 'what was sent is judged first').toBe(422);
    const { status, json, records } = await create(body, unconnected);
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
    expect(records.size).toBe(0);
  });

  it('returns the upstream’s message when it rejects the Flow, and stores nothing', async () => {
    const reject = async () => {
      throw new UpstreamError('rejected', 'Flow name is not unique', { code: 100 });
    };
    const { status, json, headers, records } = await create(body, { upstream: { create: reject } });
    expect(status).toBe(400);
    expect(json).toEqual({ message: 'Flow name is not unique' });
    expect(headers).toMatchObject({ 'x-upstream-error-code': '100' });
    expect(records.size).toBe(0);
  });

  it('returns 404 if the Flow is deleted before its creation is reported', async () => {
    expect(await create(body, { deleted: true })).toMatchObject({
      status: 404,
      headers: { 'x-error-code': 'flow_not_found' },
    });
  });

  it('names every invalid field of the body, and changes nothing', async () => {
    const upstream = { create: vi.fn<UpstreamFlows['create']>() };
    const wrong = { name: ' ', categories: [1, 1], endpoint_url: 'http://example.com' };
    const { status, json, records } = await create(wrong, { upstream }, { 'accept-language': 'es' });
    expect(status).toBe(422);
    expect(json).toEqual({
      message: 'El campo name es obligatorio. (y 3 errores más)',
      errors: {
        name: ['El campo name es obligatorio.'],
        categories: ['El campo categories tiene un valor duplicado.'],
        endpoint_url: ['El campo endpoint url debe ser una URL https.'],
        endpoint_encrypted: ['El campo endpoint encrypted es obligatorio cuando se indica endpoint url.'],
      },
    });
    expect(records.size).toBe(0);
    expect(upstream.create).not.toHaveBeenCalled();
  });

  it('requires an owner of the workspace', async () => {
    expect(await create('{', { role: 'member' })).toMatchObject({
      status: 403,
      json: { message: 'Only an owner of this workspace may do this.' },
    });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { UpstreamFlows } from '#shared/flows/flows-graph.ts';
import { send } from '#support/aws/http-event.ts';
import { endpointUrlFault } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import { draft, draftObject, type FakeFlowOptions, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { updateFlow as contract } from './contracts.ts';
import { makeHandler } from './update-flow.ts';

captureLog();

async function update(body: unknown, options: FakeFlowOptions = {}) {
  const { dependencies, records } = fakeFlowDependencies(options);
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  const answer = await send(makeHandler({ ...dependencies, endpointUrlFault }), {
    contract,
    caller,
    pathParameters,
    body,
  });
  return { ...answer, stored: records.get(draft.id) };
}

const body = { name: 'Renamed', categories: [1] };

describe('update-flow', () => {
  it('replaces the metadata and returns the Flow', async () => {
    const { status, text } = await update(body);
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        ...draftObject,
        name: 'Renamed',
        categories: [{ id: 1, code: 'SIGN_UP', description: 'Sign up' }],
        updated_at: '2026-01-31T08:15:30.123000Z',
      }),
    );
  });

  it('takes back the Flow as it was read, and ignores what only responses have', async () => {
    const read = { ...draftObject, id: 'other', status: { id: 9 }, created_at: null, validation_errors: [] };
    const { status, text } = await update({ ...read, name: 'Renamed' });
    expect([status, text]).toEqual([200, (await update({ ...body, categories: draft.categories })).text]);
  });

  it.each([
    ['its members in another order', { status: 200 }, '{"a": {"b": 1, "c": [1.0]}}', { a: { c: [1], b: 1 } }],
    ['a list in another order', { status: 422 }, '{"a": [1, 2]}', { a: [2, 1] }],
    ['another value', { status: 422 }, '{"a": 1}', { a: '1' }],
    ['one member more', { status: 422 }, '{"a": 1}', { a: 1, b: null }],
    ['no value', { status: 422 }, '{}', null],
  ])('compares a json with the stored one: %s', async (_, expected, stored, json) => {
    const flows = [{ ...draft, json: { text: stored } }];
    const answer = await update({ ...body, json }, { flows });
    expect(answer).toMatchObject(expected);
    if (expected.status === 200) return;
    expect(answer.json.errors).toEqual({ json: [expect.stringContaining('PUT')] });
    expect(answer.stored).toEqual(flows[0]);
  });

  describe('of a Flow with an endpoint', () => {
    const endpoint = { endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };
    const flows = [{ ...draft, ...endpoint }];
    const uri = `https://api.example.com/v2/flows/${draft.id}/endpoint`;
    const moved = { endpoint_url: 'https://example.com/moved', endpoint_encrypted: false };

    it.each([
      ['keeps it on both sides if the body omits it', {}, endpoint, {}],
      [
        'removes it on both sides if it is null',
        { endpoint_url: null },
        { endpoint_url: null, endpoint_encrypted: true },
        { endpoint_uri: '' },
      ],
      ['replaces it, and repeats ours upstream', moved, moved, { endpoint_uri: uri }],
      [
        'changes who decrypts its exchanges',
        { endpoint_encrypted: true },
        { ...endpoint, endpoint_encrypted: true },
        {},
      ],
    ])('%s', async (_, members, expected, sent) => {
      const upstream = { update: vi.fn<UpstreamFlows['update']>() };
      const { json, stored } = await update({ ...body, ...members }, { flows, upstream });
      expect(json).toMatchObject(expected);
      expect(stored).toMatchObject(expected);
      const metadata = { name: 'Renamed', categories: ['SIGN_UP'] };
      expect(upstream.update).toHaveBeenCalledExactlyOnceWith(draft.wa_id, { ...metadata, ...sent });
    });
  });

  it('does not ask the upstream to remove an endpoint that a Flow does not have', async () => {
    const upstream = { update: vi.fn<UpstreamFlows['update']>() };
    expect((await update({ ...body, endpoint_url: null }, { upstream })).json.endpoint_url).toBeNull();
    expect(upstream.update.mock.calls).toEqual([[draft.wa_id, { name: 'Renamed', categories: ['SIGN_UP'] }]]);
  });

  it('keeps the endpoint on both sides if the upstream rejects its removal', async () => {
    const flows = [{ ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false }];
    const rejection = new UpstreamError('rejected', 'Invalid Endpoint URI', { code: 100 });
    const upstream = { update: vi.fn<UpstreamFlows['update']>().mockRejectedValue(rejection) };
    const { status, json, stored } = await update({ ...body, endpoint_url: null }, { flows, upstream });
    expect([status, json]).toEqual([400, { message: 'Invalid Endpoint URI' }]);
    expect(stored).toEqual(flows[0]);
  });

  it('follows the upstream if an edit turns a published Flow back into a draft', async () => {
    const flows = [{ ...draft, status: 'PUBLISHED' as const }];
    const { json, headers } = await update(body, { flows, reported: { status: 'DRAFT', json_version: '7.3' } });
    expect(json).toMatchObject({ status: { id: 1 }, version: '7.3' });
    expect(headers).toMatchObject({ 'x-warning': 'published_flow_became_draft' });
  });

  it('rejects a workspace without a business account before it changes anything', async () => {
    const upstream = { update: vi.fn<UpstreamFlows['update']>() };
    const { status, json, stored } = await update(body, { workspace: { ...workspace, waba_id: null }, upstream });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
    expect(stored).toEqual(draft);
    expect(upstream.update).not.toHaveBeenCalled();
  });

  it('returns 409 with Retry-After while another change is in progress', async () => {
    const held = { ...draft, lease: { holder: 'other', until: draft.created_at + 70_500 } };
    const { status, headers } = await update(body, { flows: [held] });
    expect(status).toBe(409);
    expect(headers).toMatchObject({ 'retry-after': '11' });
  });

  it('changes nothing if the body is invalid', async () => {
    const { status, json, stored } = await update({ name: 'Renamed', categories: [] });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ categories: ['The categories field must have at least 1 item.'] });
    expect(stored).toEqual(draft);
  });
});

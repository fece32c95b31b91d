import type { Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import type { BlobStore } from '#shared/aws/bucket.ts';
import type { Table } from '#shared/aws/table.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import type { UpstreamFlows } from '#shared/flows/flows-graph.ts';
import { httpEvent, requestId, send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import { draft, draftObject, type FakeFlowOptions, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { updateFlowJson as contract } from './contracts.ts';
import { makeHandler } from './update-flow-json.ts';

captureLog();

async function update(body: unknown, options: FakeFlowOptions = {}) {
  const { dependencies, records } = fakeFlowDependencies(options);
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  const headers = { 'content-type': 'application/json' };
  const answer = await send(makeHandler(dependencies), { contract, caller, pathParameters, body, headers });
  return { ...answer, stored: records.get(draft.id) };
}

const content = { version: '7.3', screens: [] };

describe('update-flow-json', () => {
  it('returns the Flow with its new content and no validation errors', async () => {
    const { status, text } = await update({ json: content }, { reported: { status: 'DRAFT', json_version: '7.3' } });
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        ...draftObject,
        version: '7.3',
        json: content,
        updated_at: '2026-01-31T08:15:30.123000Z',
        validation_errors: [],
      }),
    );
  });

  it('warns if the edit takes a published Flow offline', async () => {
    const flows = [{ ...draft, status: 'PUBLISHED' as const }];
    const { headers } = await update({ json: content }, { flows, reported: { status: 'DRAFT' } });
    expect(headers).toMatchObject({ 'x-warning': 'published_flow_became_draft' });
    expect((await update({ json: content })).headers).not.toHaveProperty('x-warning');
  });

  it('passes on the upstream’s validation errors unchanged, and stores the draft anyway', async () => {
    const findings = [{ error: 'INVALID_PROPERTY', message: 'No', line_start: 3, pointers: [{ path: 'screens[0]' }] }];
    const { status, json, stored } = await update(
      { json: content },
      { upstream: { uploadJson: async () => findings } },
    );
    expect(status).toBe(200);
    expect(json.validation_errors).toEqual(findings);
    expect(stored?.json).toEqual({ text: JSON.stringify(content) });
  });

  it('passes on the content character by character, and numbers digit for digit', async () => {
    const uploadJson = vi.fn<UpstreamFlows['uploadJson']>(async () => []);
    const text = String.raw`{"__proto__":{"a":1},"b":"\ud800","emoji":"🌵","n":12345678901234567890,"rate":1.50}`;
    const { text: answered, stored } = await update(`{"json":${text}}`, { upstream: { uploadJson } });
    expect(uploadJson).toHaveBeenCalledExactlyOnceWith(draft.wa_id, text);
    expect(stored?.json).toEqual({ text });
    expect(answered).toContain(`"json":${text}`);
  });

  it.each([
    ['large', 'x'.repeat(6_300_000)],
    ['large once a response has quoted it', '"'.repeat(1_600_000)],
  ])('returns 413 for content that is too %s, and changes nothing', async (_, filler) => {
    const uploadJson = vi.fn<UpstreamFlows['uploadJson']>();
    const { status, json, stored } = await update({ json: { filler } }, { upstream: { uploadJson } });
    expect(status).toBe(413);
    expect(json).toEqual({ message: expect.stringContaining('6 MB') });
    expect(stored).toEqual(draft);
    expect(uploadJson).not.toHaveBeenCalled();
  });

  it('accepts content of nearly 6 MB, and returns it', async () => {
    const { status, text } = await update({ json: { filler: 'x'.repeat(6_100_000) } });
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: text }))).toBeLessThan(6 * 1024 * 1024);
  });

  it.each([
    [{}, 'required'],
    [{ json: null }, 'JSON object'],
    ['{"json":1.0}', 'JSON object'],
  ])('requires an object, not %j', async (body, text) => {
    const { status, json, stored } = await update(body);
    expect(status).toBe(422);
    expect(json.errors).toEqual({ json: [expect.stringContaining(text)] });
    expect(stored).toEqual(draft);
  });

  it('rejects a workspace without a business account', async () => {
    const { status, json } = await update({ json: content }, { workspace: { ...workspace, waba_id: null } });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
  });
});

it('update-flow-json parses, serialises and writes 5 MB once each, and reads nothing back', async () => {
  const text = `{"version":"7.3","screens":[],"n":1.50,"filler":"${'x'.repeat(5_000_000)}"}`;
  const calls: string[] = [];
  const note = (name: string, isLarge: boolean) => void (isLarge && calls.push(name));
  const blobs: BlobStore = {
    put: async (_, written) => note('put', written === text),
    get: async () => void calls.push('get'),
    delete: async () => void calls.push('delete'),
  };
  const uploadJson: UpstreamFlows['uploadJson'] = async (_, uploaded) => {
    note('upload', uploaded === text);
    return [];
  };
  const { dependencies } = fakeFlowDependencies({ upstream: { uploadJson } });
  const flowJson = flowJsonStore({} as Table, blobs);
  const handler = makeHandler({
    ...dependencies,
    contextFor: (...of) => ({ ...dependencies.contextFor(...of), flowJson }),
  });
  const { parse, stringify } = JSON;
  const parsing = vi.spyOn(JSON, 'parse').mockImplementation((input, reviver) => {
    note('parse', input.length > 1_000_000);
    return parse(input, reviver);
  });
  const serialising = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest: unknown[]) => {
    const written = (stringify as (...of: unknown[]) => string)(value, ...rest);
    note('stringify', written?.length > 1_000_000);
    return written;
  });

  const pathParameters = { workspace: workspace.id, flow: draft.id };
  const headers = { 'content-type': 'application/json' };
  const event = httpEvent({ caller, pathParameters, headers, body: `{"json":${text}}` });
  const { statusCode, body } = await handler(event, { awsRequestId: requestId } as Context);
  parsing.mockRestore();
  serialising.mockRestore();
  expect([statusCode, body?.includes(`"json":${text},`)]).toEqual([200, true]);
  expect(calls).toEqual(['parse', 'stringify', 'put', 'upload']);
});

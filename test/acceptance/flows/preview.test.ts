import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as deleteFlow } from '#functions/flows/delete-flow/contract.ts';
import { contract as createPreview } from '#functions/previews/create-preview/contract.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { newId } from '#shared/base/ids.ts';
import { type FlowService, startFlowService } from '../../../support/flows/flow-service.ts';
import type { SuccessBody } from '../../../support/http/client.ts';

let service: FlowService;
let workspace: string;
let number: string;
let flow: string;

beforeAll(async () => {
  service = await startFlowService();
  workspace = await service.newWorkspace();
  number = await newNumber(workspace);
  flow = (await service.draft(workspace)).id;
});
afterAll(() => service.close());

async function newNumber(ofWorkspace: string, { active = true } = {}): Promise<string> {
  const id = newId();
  await numberStore(service.world.table).create({
    id,
    workspace: ofWorkspace,
    phone_number_id: String(BigInt(`0x${id.replaceAll('-', '')}`)),
    display_phone_number: '+15550100009',
    active,
    calling_enabled: false,
    created_at: Date.now(),
  });
  return id;
}

const preview = (body: Record<string, unknown> = {}, params: Record<string, string> = {}) =>
  service.api.call(createPreview, {
    params: { workspace, flow, ...params },
    body: { number, valid_until: 1, ...body },
  });

const errorsOf = (body: unknown) => (body as { errors: Record<string, string[]> }).errors;

const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('a preview', () => {
  it('is returned with 201 as the Preview object', async () => {
    const reply = await preview();
    const created = reply.body as SuccessBody<typeof createPreview>;
    expect(reply.status).toBe(201);
    expect(Object.keys(created)).toEqual(['id', 'url', 'secret', 'valid_until', 'created_at', 'updated_at']);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      url: `${service.baseUrl}/v2/flows/preview/${created.id}`,
      secret: expect.stringMatching(/^\d{6}$/),
      valid_until: expect.stringMatching(microseconds),
      created_at: expect.stringMatching(microseconds),
      updated_at: created.created_at,
    });
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 16],
    [6, 24],
  ])('with valid_until %i is valid for %i hours', async (valid_until, hours) => {
    const created = (await preview({ valid_until })).body as SuccessBody<typeof createPreview>;
    expect(Date.parse(created.valid_until) - Date.parse(created.created_at)).toBe(hours * 3_600_000);
  });

  it.each([0, 7, -1, 1.5, '1', null, undefined, true, [1]])('is rejected with valid_until %j', async (valid_until) => {
    const reply = await preview({ valid_until });
    expect([reply.status, Object.keys(errorsOf(reply.body))]).toEqual([422, ['valid_until']]);
  });

  it.each(['true', 1, null])('is rejected with invalidate_previous %j', async (invalidate_previous) => {
    const reply = await preview({ invalidate_previous });
    expect([reply.status, Object.keys(errorsOf(reply.body))]).toEqual([422, ['invalidate_previous']]);
  });

  it('has an id and a secret of its own each time', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => preview()));
    const previews = replies.map(({ body }) => body as SuccessBody<typeof createPreview>);
    expect(new Set(previews.map(({ id }) => id)).size).toBe(6);
    expect(new Set(previews.map(({ secret }) => secret)).size).toBeGreaterThan(1);
  });

  it('can be created for a Flow in any status, without calling the upstream', async () => {
    for (const status of ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'BLOCKED', 'THROTTLED', 'UNKNOWN'] as const) {
      const { id } = await service.draft(workspace);
      await service.moveStored(workspace, id, status);
      const asked = (await service.upstreamRequests()).length;
      expect((await preview({ invalidate_previous: true }, { flow: id })).status, status).toBe(201);
      expect(await service.upstreamRequests()).toHaveLength(asked);
    }
  });

  it('is not created for a deleted Flow', async () => {
    const { id } = await service.draft(workspace);
    await service.api.succeed(deleteFlow, { params: { workspace, flow: id } });
    expect((await preview({}, { flow: id })).status).toBe(404);
  });

  it('that invalidates others is created by one request at a time: the others get 409', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => preview({ invalidate_previous: true })));
    expect(replies.map(({ status }) => status)).toContain(201);
    for (const { status, headers } of replies.filter((reply) => reply.status !== 201)) {
      expect([status, headers.get('retry-after')]).toEqual([409, '1']);
    }
  });
});

describe('the number of a preview', () => {
  it('may be written in upper case', async () => {
    expect((await preview({ number: number.toUpperCase() })).status).toBe(201);
  });

  it.each(['no-uuid', '', 1, null, undefined])('the number of a preview is rejected: %j', async (value) => {
    const reply = await preview({ number: value });
    expect([reply.status, Object.keys(errorsOf(reply.body))]).toEqual([422, ['number']]);
  });

  it('must exist, be active and be of this workspace', async () => {
    const elsewhere = await newNumber(await service.newWorkspace());
    const inactive = await newNumber(workspace, { active: false });
    for (const value of [newId(), elsewhere, inactive]) {
      const reply = await preview({ number: value });
      expect([reply.status, errorsOf(reply.body)]).toEqual([
        422,
        { number: ['The number field must be an active number of the workspace.'] },
      ]);
    }
  });
});

describe('a workspace without a business account', () => {
  it('returns 400 for a preview, after the number is checked', async () => {
    const unconnected = await service.newWorkspace({ wabaId: null });
    const { id } = await service.draft(workspace);
    await service.moveFlow(workspace, id, unconnected);
    const params = { workspace: unconnected, flow: id };
    expect((await preview({}, params)).status).toBe(422);
    const reply = await preview({ number: await newNumber(unconnected) }, params);
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, ['message']]);
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { KeyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import { keyedRequests } from '#shared/operations/keyed-request.ts';
import { hashSecret, type PreviewRecord } from '#shared/previews/preview-access.ts';
import type { PreviewStore } from '#shared/previews/preview-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { draft, now, phoneNumber as number } from '#support/fakes/fake-flow-context.ts';
import { memoryKeyedRequests } from '#support/fakes/memory-keyed-requests.ts';
import { createPreview as contract } from './contracts.ts';
import { makeHandler } from './create-preview.ts';

const log = captureLog();

/** The previews that were kept, and the Flow as the store has it. */
let kept: PreviewRecord[];
let stored: FlowRecord | undefined;

const create = vi.fn<PreviewStore['create']>();

/** Keeps a preview if the Flow is still in the generation that the request saw. */
const keep: PreviewStore['create'] = async (preview, flow) => {
  if (flow.preview_generation !== stored?.preview_generation) return false;
  stored = { ...stored, preview_generation: preview.generation };
  kept.push(preview);
  return true;
};

beforeEach(() => {
  kept = [];
  stored = draft;
  create.mockImplementation(keep);
});

const body = { number: number.id, valid_until: 3 };

interface World {
  numbers?: PhoneNumber[];
  wabaId?: string | null;
  /** What is known about the key that all requests have, if there is such a store. */
  store?: KeyedRequestStore;
}

function preview(sent: unknown = body, { numbers = [number], wabaId = workspace.waba_id, store }: World = {}) {
  const handler = makeHandler({
    access: fakeAccess({ flows: [draft], workspace: { ...workspace, waba_id: wabaId } }),
    now: () => now,
    mark,
    baseUrl: 'https://api.example.com',
    flows: { get: async () => stored },
    numbers: { get: async (id) => numbers.find((candidate) => candidate.id === id) },
    previews: { create },
    keyedRequests: keyedRequests(store ?? memoryKeyedRequests()),
  });
  const headers = store ? { 'idempotency-key': 'k' } : {};
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  return send(handler, { contract, caller, pathParameters, body: sent, headers });
}

describe('create-preview', () => {
  it('makes one preview for an Idempotency-Key and shows its secret again', async () => {
    const store = memoryKeyedRequests();
    const first = await preview(body, { store });
    const second = await preview(body, { store });
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(kept).toHaveLength(1);
  });

  it('returns the preview object with its members in their order', async () => {
    const { status, json } = await preview();
    expect(status).toBe(201);
    expect(Object.entries(json)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['url', `https://api.example.com/v2/flows/preview/${json.id}`],
      ['secret', expect.stringMatching(/^\d{6}$/)],
      ['valid_until', '2026-01-31T12:15:30.123000Z'],
      ['created_at', '2026-01-31T08:15:30.123000Z'],
      ['updated_at', '2026-01-31T08:15:30.123000Z'],
    ]);
  });

  it('stores the hash of the secret, not the secret', async () => {
    const { json } = await preview();
    expect(kept).toEqual([
      {
        id: json.id,
        workspace: workspace.id,
        flow: draft.id,
        number: number.id,
        secret_hash: hashSecret(json.id, json.secret),
        session: expect.stringMatching(/^[\w-]{43}$/),
        generation: 0,
        valid_until: now + 4 * 3_600_000,
        created_at: now,
      },
    ]);
    expect(JSON.stringify(log)).not.toContain(json.secret);
  });
});

describe('the number', () => {
  it.each([
    ['is unknown', []],
    ['is not active', [{ ...number, active: false }]],
    ['is of another workspace', [{ ...number, workspace: draft.id }]],
  ])('is rejected if it %s, and nothing is stored', async (_, numbers) => {
    const { status, json } = await preview(body, { numbers });
    const text = 'The number field must be an active number of the workspace.';
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { number: [text] } });
    expect(create).not.toHaveBeenCalled();
  });
});

describe('create-preview rejects', () => {
  it('a workspace without a business account, after it has checked the body', async () => {
    const { status, json } = await preview(body, { wabaId: null });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
    expect((await preview({}, { wabaId: null })).status).toBe(422);
    expect(create).not.toHaveBeenCalled();
  });
});

describe('the generation of previews', () => {
  it('returns 409 with Retry-After if other requests keep advancing it', async () => {
    create.mockResolvedValue(false);
    expect(await preview()).toMatchObject({ status: 409, headers: { 'retry-after': '1' } });
    expect(create.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('ends with the Flow: a preview created during its deletion gets 404', async () => {
    create.mockResolvedValue(false);
    stored = undefined;
    expect(await preview()).toMatchObject({ status: 404, json: { message: 'Flow not found.' } });
  });
});

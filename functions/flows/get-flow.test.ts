import { describe, expect, it } from 'vitest';
import { type RequestOptions, send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller } from '#support/fakes/fake-access.ts';
import {
  draft,
  draftObject,
  type FakeFlowOptions,
  fakeFlowDependencies,
  now,
} from '#support/fakes/fake-flow-context.ts';
import { getFlow as contract } from './contracts.ts';
import { makeHandler } from './get-flow.ts';

captureLog();

const pathParameters = { workspace: draft.workspace, flow: draft.id };

const get = (options: FakeFlowOptions = {}, request: RequestOptions = {}) =>
  send(makeHandler(fakeFlowDependencies(options).dependencies), { contract, caller, pathParameters, ...request });

describe('get-flow', () => {
  it('returns the Flow object to an owner, with its members in their order', async () => {
    const { status, text } = await get();
    expect(status).toBe(200);
    expect(text).toBe(JSON.stringify(draftObject));
  });

  it('is for owners only', async () => {
    expect((await get({ role: 'member' })).status).toBe(403);
  });

  it('shows every member of a published Flow with an endpoint', async () => {
    const published = {
      ...draft,
      status: 'PUBLISHED' as const,
      version: '7.3',
      json: { text: '{"__proto__":{"a":1},"version":"7.3","screens":[]}' },
      endpoint_url: 'https://example.com/flow',
      endpoint_encrypted: false,
      updated_at: now,
    };
    const { json } = await get({ flows: [published] }, { headers: { 'accept-language': 'pt-BR' } });
    expect(json).toMatchObject({
      status: { id: 2, code: 'PUBLISHED', description: 'Publicado' },
      version: '7.3',
      endpoint_encrypted: false,
      endpoint_url: 'https://example.com/flow',
      updated_at: '2026-01-31T08:15:30.123000Z',
    });
    expect(JSON.stringify(json.json)).toBe(published.json.text);
  });

  const abandoned = { ...draft, pending: { lease: 'gone', started_at: now - 120_000, change: 'delete' as const } };

  it('reconciles an abandoned change before it returns the Flow', async () => {
    expect((await get({ flows: [abandoned], reported: { status: 'DEPRECATED' } })).json.status.code).toBe('DEPRECATED');
  });

  it('returns 404 for a Flow whose abandoned deletion succeeded upstream', async () => {
    const upstream = { get: async () => undefined };
    expect(await get({ flows: [abandoned], upstream })).toMatchObject({
      status: 404,
      json: { message: 'Flow not found.' },
    });
  });
});

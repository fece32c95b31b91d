import { describe, expect, it, vi } from 'vitest';
import type { FlowStatus } from '#shared/flows/catalogue.ts';
import { send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import { draft, draftObject, type FakeFlowOptions, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { deleteFlow as contract } from './contracts.ts';
import { makeHandler } from './delete-flow.ts';

captureLog();

async function remove(options: FakeFlowOptions = {}) {
  const upstream = { delete: vi.fn(async () => {}), deprecate: vi.fn(async () => {}) };
  const { dependencies, records } = fakeFlowDependencies({ upstream, ...options });
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  const answer = await send(makeHandler(dependencies), { contract, caller, pathParameters });
  return { ...answer, stored: records.get(draft.id), upstream };
}

describe('delete-flow', () => {
  it('removes a draft and returns no body', async () => {
    const { status, text, stored, upstream } = await remove();
    expect([status, text, stored]).toEqual([204, undefined, undefined]);
    expect(upstream.delete).toHaveBeenCalledExactlyOnceWith(draft.wa_id);
  });

  it.each<FlowStatus>(['PUBLISHED', 'THROTTLED', 'BLOCKED'])('deprecates a Flow that is %s', async (status) => {
    const { status: answered, text, upstream } = await remove({ flows: [{ ...draft, status }] });
    expect(answered).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        ...draftObject,
        status: { id: 3, code: 'DEPRECATED', description: 'Deprecated' },
        updated_at: '2026-01-31T08:15:30.123000Z',
      }),
    );
    expect(upstream.deprecate).toHaveBeenCalledExactlyOnceWith(draft.wa_id);
    expect(upstream.delete).not.toHaveBeenCalled();
  });

  it('returns a deprecated Flow unchanged, without calling the upstream', async () => {
    const { status, json, upstream } = await remove({ flows: [{ ...draft, status: 'DEPRECATED' }] });
    expect(status).toBe(200);
    expect(json.status.code).toBe('DEPRECATED');
    expect(upstream.deprecate).not.toHaveBeenCalled();
    expect(upstream.delete).not.toHaveBeenCalled();
  });

  it('needs no business account, so a Flow can always be removed', async () => {
    expect((await remove({ workspace: { ...workspace, waba_id: null } })).status).toBe(204);
  });
});

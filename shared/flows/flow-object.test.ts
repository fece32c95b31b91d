import { describe, expect, it } from 'vitest';
import { stringify } from '#shared/http/response-body.ts';
import { draft, draftObject, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { flowResponse } from './flow-object.ts';

const { context, records } = fakeFlowDependencies();

describe('flowResponse', () => {
  it('flowResponse returns the Flow object', async () => {
    expect(stringify(await flowResponse(draft, 'en', context))).toBe(JSON.stringify(draftObject));
  });

  it('returns the newer text if the one that was read is gone', async () => {
    const stale = { ...draft, json: { blob: 'replaced', bytes: 1 } };
    records.set(draft.id, { ...draft, json: { text: '{"version":"7.3"}' } });
    expect((await flowResponse(stale, 'en', context)).json.text).toBe('{"version":"7.3"}');
  });

  const { wa_id: _, ...unborn } = draft;

  it.each([
    ['is gone', undefined],
    ['the upstream has not accepted', unborn],
    ['has lost its text for good', { ...draft, id: 'lost', json: { blob: 'lost', bytes: 1 } }],
  ])('returns not found for a Flow that %s', async (_, flow) => {
    await expect(flowResponse(flow, 'en', context)).rejects.toMatchObject({ code: 'flow.not-found' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { workspace } from '#support/fakes/fake-access.ts';
import { draft, now, phoneNumber as number } from '#support/fakes/fake-flow-context.ts';
import { hashSecret, type PreviewRecord } from './preview.ts';
import { type CreateContext, createPreview, type PreviewChoices } from './preview-access.ts';

const choices: PreviewChoices = { number: number.id, valid_until: 1 };

let kept: PreviewRecord[];
/** The Flow as the store has it. */
let stored: FlowRecord | undefined;
let tries: number;
beforeEach(() => {
  kept = [];
  stored = draft;
  tries = 0;
});

const context: CreateContext = {
  flows: { get: async () => stored },
  numbers: { get: async (id) => (id === number.id ? number : undefined) },
  previews: {
    async create(preview, { preview_generation }) {
      tries++;
      if (preview_generation !== stored?.preview_generation) return false;
      kept.push(preview);
      return true;
    },
  },
  now: () => now,
};

describe('createPreview', () => {
  it('keeps the preview with the hash of the secret that it returns', async () => {
    const { preview, secret } = await createPreview(workspace, draft, choices, context);
    expect(kept).toEqual([preview]);
    expect(preview.secret_hash).toBe(hashSecret(preview.id, secret));
    expect(preview.valid_until).toBe(now + 3_600_000);
  });

  it.each([false, true])('uses the generation to which another request has moved on (invalidates: %j)', async (all) => {
    stored = { ...draft, preview_generation: 4 };
    await createPreview(workspace, draft, { ...choices, invalidate_previous: all }, context);
    expect(kept.map(({ generation }) => generation)).toEqual([all ? 5 : 4]);
  });

  it('gives up when other requests keep moving the generation on', async () => {
    const get = async () => ({ ...draft, preview_generation: 7 });
    const busy = createPreview(workspace, { ...draft, preview_generation: 7 }, choices, { ...context, flows: { get } });
    await expect(busy).rejects.toMatchObject({ code: 'flow.busy', retryAfterSeconds: 1 });
    expect(tries).toBe(3);
  });

  it('stops when the Flow has been deleted', async () => {
    stored = undefined;
    await expect(createPreview(workspace, draft, choices, context)).rejects.toMatchObject({ code: 'flow.not-found' });
    expect(tries).toBe(1);
  });

  it('checks the number before the business account', async () => {
    const without = { ...workspace, waba_id: null };
    const unknown = createPreview(without, draft, { ...choices, number: draft.id }, context);
    await expect(unknown).rejects.toMatchObject({ code: 'validation-failed' });
    const noAccount = createPreview(without, draft, choices, context);
    await expect(noAccount).rejects.toMatchObject({ code: 'workspace.no-business-account' });
    expect(tries).toBe(0);
  });
});

import type { Clock } from '#shared/base/clock.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { isLive, type LiveFlow } from '../flows/flow.ts';
import type { FlowStore } from '../flows/flow-store.ts';
import { hashSecret, isSecretShaped, isSessionOf, type PreviewRecord } from './preview.ts';
import type { Guessed, PreviewStore } from './preview-store.ts';

export interface PreviewContext {
  previews: Pick<PreviewStore, 'get' | 'tryGuess'>;
  flows: Pick<FlowStore, 'get'>;
  now: Clock;
}

/** A preview that is good, and its Flow. */
export interface GoodPreview {
  preview: PreviewRecord;
  flow: LiveFlow;
}

/** The preview of this id, unless there is none, its time is over, it was invalidated or its Flow is gone. */
export async function findPreview(
  { previews, flows, now }: PreviewContext,
  id: string | undefined,
): Promise<GoodPreview | undefined> {
  const uuid = parseUuid(id);
  const preview = uuid === undefined ? undefined : await previews.get(uuid);
  if (!preview || preview.valid_until <= now()) return undefined;
  const flow = await flows.get(preview.workspace, preview.flow);
  if (!flow || !isLive(flow) || flow.preview_generation !== preview.generation) return undefined;
  return { preview, flow };
}

/** Whether the right secret was given for the session of this cookie. */
export function isUnlocked(preview: PreviewRecord, session: string | undefined): boolean {
  return session !== undefined && isSessionOf(preview, session);
}

/** Tries a secret. What is not six digits is a slip of the hand and costs no try. */
export async function unlock({ previews }: PreviewContext, { id }: PreviewRecord, guess: string): Promise<Guessed> {
  return isSecretShaped(guess) ? previews.tryGuess(id, hashSecret(id, guess)) : 'wrong';
}

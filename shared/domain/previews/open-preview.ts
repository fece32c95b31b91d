import { parseUuid } from '#shared/base/ids.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { isLive, type LiveFlow } from '../flows/flow.ts';
import type { FlowStore } from '../flows/flow-store.ts';
import { hashSecret, isSecretShaped, isSessionOf, type PreviewRecord } from './preview.ts';
import type { Guessed, PreviewStore } from './preview-store.ts';

export interface PreviewContext {
  previews: Pick<PreviewStore, 'get' | 'tryGuess'>;
  flows: Pick<FlowStore, 'get'>;
  now: Clock;
}

/** A valid preview and its Flow. */
export interface GoodPreview {
  preview: PreviewRecord;
  flow: LiveFlow;
}

/**
 * Finds the preview with this id. Resolves with `undefined` when it does not exist, has expired or was invalidated, or
 * when its Flow no longer exists.
 */
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

/** Whether the session in this cookie was opened with the right secret. */
export function isUnlocked(preview: PreviewRecord, session: string | undefined): boolean {
  return session !== undefined && isSessionOf(preview, session);
}

/** Tries a secret. Anything other than six digits is a typing error and does not count as a try. */
export async function unlock(
  { previews }: PreviewContext,
  { id }: PreviewRecord,
  guess: string,
  address: string,
): Promise<Guessed> {
  return isSecretShaped(guess) ? previews.tryGuess(id, hashSecret(id, guess), address) : 'wrong';
}

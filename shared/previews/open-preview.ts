import type { Clock } from '../clock.ts';
import { isLive, type LiveFlow } from '../flows/flow.ts';
import { parseUuid } from '../ids.ts';
import type { FlowStore } from '../storage/flows.ts';
import type { PreviewStore } from '../storage/previews.ts';
import { createSession, hashSession, isSecretOf, type PreviewRecord } from './preview.ts';

export interface PreviewContext {
  previews: Pick<PreviewStore, 'get' | 'countTry' | 'addSession'>;
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
export function isUnlocked({ id, sessions }: PreviewRecord, session: string | undefined): boolean {
  return session !== undefined && sessions?.has(hashSession(id, session)) === true;
}

export type Unlocking = { outcome: 'unlocked'; session: string } | { outcome: 'wrong' | 'locked' };

/** Opens the preview to whoever knows its secret. */
export async function unlock({ previews }: PreviewContext, { id }: PreviewRecord, guess: string): Promise<Unlocking> {
  const preview = await previews.countTry(id);
  if (!preview) return { outcome: 'locked' };
  if (!isSecretOf(preview, guess)) return { outcome: 'wrong' };
  const session = createSession();
  return (await previews.addSession(id, hashSession(id, session)))
    ? { outcome: 'unlocked', session }
    : { outcome: 'locked' };
}

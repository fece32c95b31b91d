import type { Workspace } from '#shared/accounts/workspace.ts';
import { newId, parseUuid } from '#shared/base/ids.ts';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import type { FlowRecord, LiveFlow } from '#shared/flows/flow.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import type { NumberStore } from '#shared/webhooks/number-store.ts';
import {
  createSecret,
  createSession,
  hashSecret,
  isSecretShaped,
  type PreviewRecord,
  validUntil,
  worksWith,
} from './preview-access.ts';
import type { Guessed, PreviewStore } from './preview-store.ts';

export interface PreviewChoices {
  number: string;
  /** See {@link validUntil}. */
  valid_until: number;
  invalidate_previous?: boolean | undefined;
}

export interface CreateContext {
  flows: Pick<FlowStore, 'get'>;
  numbers: Pick<NumberStore, 'get'>;
  previews: Pick<PreviewStore, 'create'>;
  now: Clock;
}

/** Makes a preview of a Flow. The secret is not stored, so this is the only time that it can be shown. */
export async function createPreview(
  workspace: Workspace,
  flow: FlowRecord,
  choices: PreviewChoices,
  context: CreateContext,
): Promise<{ preview: PreviewRecord; secret: string }> {
  const number = await context.numbers.get(choices.number);
  if (!number?.active || number.workspace !== workspace.id) throw invalidField('number', 'active_number');
  businessAccount({ wabaId: workspace.waba_id });

  const now = context.now();
  const secret = createSecret();
  const id = newId();
  const preview = {
    id,
    workspace: workspace.id,
    flow: flow.id,
    number: number.id,
    secret_hash: hashSecret(id, secret),
    session: createSession(),
    valid_until: validUntil(choices.valid_until, now),
    created_at: now,
  };
  return { preview: await keep(preview, flow, choices.invalidate_previous ?? false, context), secret };
}

const maxTries = 3;

/**
 * Stores the preview in the Flow's current generation. Retries because other requests may advance the generation
 * meanwhile.
 */
async function keep(
  preview: Omit<PreviewRecord, 'generation'>,
  flow: FlowRecord,
  invalidatePrevious: boolean,
  { flows, previews }: CreateContext,
): Promise<PreviewRecord> {
  let current: FlowRecord | undefined = flow;
  for (let tries = 0; tries < maxTries && current; tries++) {
    const generation = current.preview_generation + (invalidatePrevious ? 1 : 0);
    const kept = { ...preview, generation };
    if (await previews.create(kept, current, invalidatePrevious)) return kept;
    current = await flows.get(flow.workspace, flow.id);
  }
  throw current ? new ServiceError('flow.busy', { retryAfterSeconds: 1 }) : new ServiceError('flow.not-found');
}

export interface PreviewContext {
  previews: Pick<PreviewStore, 'get' | 'tryGuess'>;
  flows: Pick<FlowStore, 'get'>;
  now: Clock;
}

export interface GoodPreview {
  preview: PreviewRecord;
  flow: LiveFlow;
}

/** Finds the preview with this id. Resolves with `undefined` when it does not exist or no longer works. */
export async function findPreview(
  { previews, flows, now }: PreviewContext,
  id: string | undefined,
): Promise<GoodPreview | undefined> {
  const uuid = parseUuid(id);
  const preview = uuid === undefined ? undefined : await previews.get(uuid);
  if (!preview) return undefined;
  const flow = await flows.get(preview.workspace, preview.flow);
  return worksWith(flow, preview, now()) ? { preview, flow } : undefined;
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

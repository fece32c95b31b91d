import { newId } from '#shared/base/ids.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { Workspace } from '../accounts/workspace.ts';
import { invalidField } from '../errors/invalid-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FlowRecord } from '../flows/flow.ts';
import type { FlowStore } from '../flows/flow-store.ts';
import { businessAccount } from '../flows/upstream-changes.ts';
import type { NumberStore } from '../subscribers/number-store.ts';
import { createSecret, createSession, hashSecret, type PreviewRecord, validUntil } from './preview.ts';
import type { PreviewStore } from './preview-store.ts';

/** What the request for a preview chooses. */
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

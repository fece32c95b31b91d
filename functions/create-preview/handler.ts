import { timestamp } from '#shared/base/clock.ts';
import { newId } from '#shared/base/ids.ts';
import type { NumberStore } from '#shared/domain/accounts/number-store.ts';
import { invalidField } from '#shared/domain/errors/invalid-fields.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { LiveFlow } from '#shared/domain/flows/flow.ts';
import type { FlowStore } from '#shared/domain/flows/flow-store.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { createSecret, createSession, hashSecret, validUntil } from '#shared/domain/previews/preview.ts';
import type { PreviewStore } from '#shared/domain/previews/preview-store.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { created } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { baseUrl } from '#shared/runtime/providers/base-url.ts';
import { flows } from '#shared/runtime/providers/flows.ts';
import { numbers } from '#shared/runtime/providers/numbers.ts';
import { previews } from '#shared/runtime/providers/previews.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  baseUrl: string;
  flows: Pick<FlowStore, 'get'>;
  numbers: Pick<NumberStore, 'get'>;
  previews: Pick<PreviewStore, 'create'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body }) => {
    const number = await dependencies.numbers.get(body.number);
    if (!number?.active || number.workspace !== workspace.id) throw invalidField('number', 'active_number');
    businessAccount({ wabaId: workspace.waba_id });

    const now = dependencies.now();
    const secret = createSecret();
    const id = newId();
    const preview = {
      id,
      workspace: workspace.id,
      flow: flow.id,
      number: number.id,
      secret_hash: hashSecret(id, secret),
      session: createSession(),
      valid_until: validUntil(body.valid_until, now),
      created_at: now,
    };
    await keep(dependencies, preview, flow, body.invalidate_previous ?? false);
    const madeAt = timestamp(now);
    return created({
      id,
      url: `${dependencies.baseUrl}/v2/flows/preview/${id}`,
      secret,
      valid_until: timestamp(preview.valid_until),
      created_at: madeAt,
      updated_at: madeAt,
    });
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, flows, numbers, previews });

/**
 * Stores the preview in the Flow's current generation. Retries because other requests may advance the generation
 * meanwhile.
 */
async function keep(
  { flows, previews }: Dependencies,
  preview: Omit<Parameters<PreviewStore['create']>[0], 'generation'>,
  flow: LiveFlow,
  invalidatePrevious: boolean,
): Promise<void> {
  let current: Awaited<ReturnType<FlowStore['get']>> = flow;
  for (let tries = 0; tries < 3 && current; tries++) {
    const generation = current.preview_generation + (invalidatePrevious ? 1 : 0);
    if (await previews.create({ ...preview, generation }, current, invalidatePrevious)) return;
    current = await flows.get(flow.workspace, flow.id);
  }
  throw current ? new ServiceError('flow.busy', { retryAfterSeconds: 1 }) : new ServiceError('flow.not-found');
}

import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { existingSettings, subscriberOf } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { toTargetSettings } from '#shared/webhooks/webhook-settings.ts';
import { targets } from './compose.ts';
import { getWebhookTarget as contract, getWorkspaceWebhookTarget as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const settings = await existingSettings(subscriberOf(request), dependencies.targets);
    return ok(toTargetSettings(settings, request.target));
  });

export const start = serve(contracts, makeHandler, { targets });

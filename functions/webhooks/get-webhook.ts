import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { existingSettings, subscriberOf } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { toWebhookSettings } from '#shared/webhooks/webhook-settings.ts';
import { targets } from './compose.ts';
import { getWebhook as contract, getWorkspaceWebhook as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const settings = await existingSettings(subscriberOf(request), dependencies.targets);
    return ok(toWebhookSettings(settings));
  });

export const start = serve(contracts, makeHandler, { targets });

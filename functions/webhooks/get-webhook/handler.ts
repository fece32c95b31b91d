import { existingSettings } from '#shared/domain/subscribers/existing-settings.ts';
import type { TargetStore } from '#shared/domain/subscribers/target-store.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import { toWebhookSettings } from '#shared/http/webhooks/webhook-settings.ts';
import { toWorkspaceWebhook } from '#shared/http/webhooks/workspace-webhook.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const settings = await existingSettings(subscriberOf(request), dependencies.targets);
    return ok('number' in request ? toWebhookSettings(settings) : toWorkspaceWebhook(settings));
  });

export const handler = serve(contracts, makeHandler, { access, targets });

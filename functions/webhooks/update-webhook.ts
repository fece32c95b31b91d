import { type ChangeContext, changeWebhooks } from '#shared/delivery/change-webhooks.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { toWebhookSettings } from '#shared/webhooks/webhook-settings.ts';
import { ask, breakers, checkUrl, secrets, targets } from './compose.ts';
import { updateWebhook as contract, updateWorkspaceWebhook as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & ChangeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const asked = { changes: request.body, isOwner: request.role === 'owner' };
    const settings = await changeWebhooks(subscriberOf(request), asked, dependencies);
    return ok(toWebhookSettings(settings));
  });

export const start = serve(contracts, makeHandler, { targets, secrets, breakers, queue, checkUrl, ask });

import { type ChangeContext, changeWebhooks } from '#shared/domain/webhooks/change-webhooks.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import { toWebhookSettings } from '#shared/http/webhooks/webhook-settings.ts';
import { toWorkspaceWebhook } from '#shared/http/webhooks/workspace-webhook.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { checkUrl } from '#shared/runtime/providers/egress.ts';
import { wait } from '#shared/runtime/providers/environment.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { breakers, targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & ChangeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const settings = await changeWebhooks(subscriberOf(request), request.body, dependencies);
    return ok('number' in request ? toWebhookSettings(settings) : toWorkspaceWebhook(settings));
  });

export const handler = serve(contracts, makeHandler, { access, targets, breakers, queue, checkUrl, wait });

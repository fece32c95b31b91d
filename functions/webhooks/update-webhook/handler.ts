import {
  changeWebhooks,
  changeWorkspaceWebhook,
  type WorkspaceWebhookContext,
} from '#shared/domain/deliveries/change-webhooks.ts';
import { toWebhookSettings } from '#shared/http/deliveries/webhook-settings.ts';
import { toWorkspaceWebhook } from '#shared/http/deliveries/workspace-webhook.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { businessAccounts } from '#shared/runtime/providers/business-accounts.ts';
import { checkUrl } from '#shared/runtime/providers/check-url.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { wait } from '#shared/runtime/providers/wait.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & WorkspaceWebhookContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    if ('number' in request) {
      return ok(toWebhookSettings(await changeWebhooks(request.number, request.body, dependencies)));
    }
    const { workspace, body } = request;
    return ok(toWorkspaceWebhook(await changeWorkspaceWebhook(workspace, body.webhook, dependencies)));
  });

export const handler = serve(contracts, makeHandler, { access, targets, businessAccounts, queue, checkUrl, wait });

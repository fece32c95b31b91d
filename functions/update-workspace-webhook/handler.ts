import { changeWorkspaceWebhook, type WorkspaceWebhookContext } from '#shared/domain/deliveries/change-webhooks.ts';
import { toWorkspaceWebhook } from '#shared/http/deliveries/workspace-webhook.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { businessAccounts } from '#shared/runtime/providers/business-accounts.ts';
import { checkUrl } from '#shared/runtime/providers/check-url.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { wait } from '#shared/runtime/providers/wait.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & WorkspaceWebhookContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, body }) =>
    ok(toWorkspaceWebhook(await changeWorkspaceWebhook(workspace, body.webhook, dependencies))),
  );

export const handler = serve(contract, makeHandler, { access, targets, businessAccounts, queue, checkUrl, wait });

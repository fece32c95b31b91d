import { changeTarget, type TargetContext } from '#shared/delivery/change-target.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { toTargetSettings } from '#shared/webhooks/webhook-settings.ts';
import { targets } from './compose.ts';
import { updateWebhookTarget as contract, updateWorkspaceWebhookTarget as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & TargetContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { target, body } = request;
    return ok(toTargetSettings(await changeTarget(subscriberOf(request), target, body, dependencies), target));
  });

export const start = serve(contracts, makeHandler, { targets });

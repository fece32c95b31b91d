import { changeTarget, type TargetContext } from '#shared/delivery/change-target.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { toTargetSettings } from '#shared/webhooks/webhook-settings.ts';
import { ask, breakers, checkUrl, secrets, targets } from './compose.ts';
import { updateWebhookTarget as contract, updateWorkspaceWebhookTarget as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & TargetContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { target: name, role, body } = request;
    const who = { name, isOwner: role === 'owner' };
    const { settings, target, ...made } = await changeTarget(subscriberOf(request), who, body, dependencies);
    return ok({ ...toTargetSettings(settings, target), ...made });
  });

export const start = serve(contracts, makeHandler, { targets, secrets, breakers, queue, checkUrl, ask });

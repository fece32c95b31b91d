import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { existingSettings, existingTarget, nameOf, subscriberOf, targetsOf } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { toTargetSettings } from '#shared/webhooks/webhook-settings.ts';
import { targets } from './compose.ts';
import {
  getWebhookTarget as contract,
  listWebhookTargets as listContract,
  getWorkspaceWebhookTarget as workspaceContract,
} from './contracts.ts';

const contracts = [contract, listContract, workspaceContract];

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const settings = await existingSettings(subscriberOf(request), dependencies.targets);
    if ('target' in request) return ok(toTargetSettings(settings, existingTarget(settings, request.target)));
    const data = targetsOf(settings).map((target) => ({ name: nameOf(target), ...toTargetSettings(settings, target) }));
    return ok({ data });
  });

export const start = serve(contracts, makeHandler, { targets });

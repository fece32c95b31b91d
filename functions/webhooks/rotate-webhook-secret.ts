import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type RotationContext, rotateSecret } from '#shared/webhooks/rotate-secret.ts';
import { existingNamedTarget, existingSettings, subscriberOf } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { secrets, targets } from './compose.ts';
import {
  rotateWebhookSecret as contract,
  rotateWebhookTargetSecret as targetContract,
  rotateWorkspaceWebhookSecret as workspaceContract,
} from './contracts.ts';

const contracts = [contract, targetContract, workspaceContract];

interface Dependencies extends WrapperDependencies, RotationContext {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const subscriber = subscriberOf(request);
    if (!('target' in request)) return ok(await rotateSecret(subscriber, dependencies));
    const settings = await existingSettings(subscriber, dependencies.targets);
    return ok(await rotateSecret(subscriber, dependencies, existingNamedTarget(settings, request.target)));
  });

export const start = serve(contracts, makeHandler, { secrets, targets });

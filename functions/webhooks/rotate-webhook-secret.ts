import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import type { RotationContext } from '#shared/webhooks/rotate-secret.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { rotatedSecret } from '#shared/webhooks/webhook-settings.ts';
import { secrets } from './compose.ts';
import { rotateWebhookSecret as contract, rotateWorkspaceWebhookSecret as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & RotationContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) =>
    ok(await rotatedSecret(subscriberOf(request), dependencies)),
  );

export const start = serve(contracts, makeHandler, { secrets });

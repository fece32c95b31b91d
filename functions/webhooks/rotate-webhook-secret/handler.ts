import type { RotationContext } from '#shared/domain/webhooks/rotate-secret.ts';
import { rotatedSecret } from '#shared/http/webhooks/rotated-secret.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { secrets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & RotationContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) =>
    ok(await rotatedSecret(subscriberOf(request), dependencies)),
  );

export const handler = serve(contracts, makeHandler, { access, secrets });

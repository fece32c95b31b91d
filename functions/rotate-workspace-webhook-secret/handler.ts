import { workspaceSubscriber } from '#shared/domain/accounts/subscriber.ts';
import type { RotationContext } from '#shared/domain/deliveries/rotate-secret.ts';
import { rotatedSecret } from '#shared/http/deliveries/rotated-secret.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & RotationContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace }) =>
    ok(await rotatedSecret(workspaceSubscriber(workspace), dependencies)),
  );

export const handler = serve(contract, makeHandler, { access, targets });

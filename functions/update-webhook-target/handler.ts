import { changeTarget, type TargetContext } from '#shared/domain/deliveries/change-target.ts';
import { toTargetSettings } from '#shared/http/deliveries/target-settings.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { wait } from '#shared/runtime/providers/wait.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & TargetContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, target, body }) =>
    ok(toTargetSettings(await changeTarget(number, target, body, dependencies), target)),
  );

export const handler = serve(contract, makeHandler, { access, targets, wait });

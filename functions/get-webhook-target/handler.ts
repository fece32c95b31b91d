import { existingSettings } from '#shared/domain/deliveries/existing-settings.ts';
import type { TargetStore } from '#shared/domain/deliveries/target-store.ts';
import { toTargetSettings } from '#shared/http/deliveries/target-settings.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, target }) =>
    ok(toTargetSettings(await existingSettings(number, dependencies.targets), target)),
  );

export const handler = serve(contract, makeHandler, { access, targets });

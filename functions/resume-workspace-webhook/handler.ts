import { type StartDrainContext, startDrain } from '#shared/domain/deliveries/drain.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & StartDrainContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace }) =>
    ok({ resumed: (await startDrain(workspace.id, 'webhook', dependencies)) ? ['webhook' as const] : [] }),
  );

export const handler = serve(contract, makeHandler, { access, targets, queue });

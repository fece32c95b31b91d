import { workspaceSubscriber } from '#shared/domain/accounts/subscriber.ts';
import type { ReplayContext } from '#shared/domain/deliveries/replay.ts';
import { replayPage } from '#shared/http/deliveries/replay-page.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & ReplayContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, body }) =>
    ok(await replayPage(workspaceSubscriber(workspace), body, dependencies)),
  );

export const handler = serve(contract, makeHandler, { access, deliveries, targets, queue });

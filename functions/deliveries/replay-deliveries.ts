import { deliveries, targets } from '#functions/webhooks/compose.ts';
import { type ReplayContext, replayRange } from '#shared/delivery/replay.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { replayDeliveries as contract, replayWorkspaceDeliveries as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & ReplayContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) =>
    ok(await replayRange(subscriberOf(request), request.body, dependencies)),
  );

export const start = serve(contracts, makeHandler, { deliveries, targets, queue });

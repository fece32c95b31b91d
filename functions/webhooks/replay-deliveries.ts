import { access } from '#shared/compose/accounts.ts';
import { queue } from '#shared/compose/queue.ts';
import { deliveries, targets } from '#shared/compose/stores.ts';
import { replayPage } from '#shared/delivery/delivery-object.ts';
import type { ReplayContext } from '#shared/delivery/replay.ts';
import { createHandlerByRoute, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/workspace-webhook.ts';
import { replayDeliveries as contract, replayWorkspaceDeliveries as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & ReplayContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) =>
    ok(await replayPage(subscriberOf(request), request.body, dependencies)),
  );

export const handler = serve(contracts, makeHandler, { access, deliveries, targets, queue });

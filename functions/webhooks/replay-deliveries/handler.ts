import type { ReplayContext } from '#shared/domain/deliveries/replay.ts';
import { replayPage } from '#shared/http/deliveries/replay-page.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { deliveries, targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & ReplayContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) =>
    ok(await replayPage(subscriberOf(request), request.body, dependencies)),
  );

export const handler = serve(contracts, makeHandler, { access, deliveries, targets, queue });

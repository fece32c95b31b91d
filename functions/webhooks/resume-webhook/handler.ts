import { type StartDrainContext, startDrain } from '#shared/domain/attempts/drain.ts';
import { type Target, targets as targetNames } from '#shared/domain/subscribers/target.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { breakers, targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & StartDrainContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { id } = subscriberOf(request);
    const target = 'number' in request ? request.body.target : 'webhook';
    const resumed: Target[] = [];
    for (const name of target ? [target] : targetNames) {
      if (await startDrain(id, name, dependencies)) resumed.push(name);
    }
    return ok({ resumed });
  });

export const handler = serve(contracts, makeHandler, { access, targets, breakers, queue });

import { type StartDrainContext, startDrain } from '#shared/delivery/drain.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf, type Target, targets as targetNames } from '#shared/webhooks/subscriber.ts';
import { breakers, targets } from './compose.ts';
import { resumeWebhook as contract, resumeWorkspaceWebhook as workspaceContract } from './contracts.ts';

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

export const start = serve(contracts, makeHandler, { targets, breakers, queue });

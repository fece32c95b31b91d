import { type StartDrainContext, startDrain } from '#shared/delivery/drain.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { chosenTarget, existingSettings, nameOf, subscriberOf, targetsOf } from '#shared/webhooks/subscriber.ts';
import { breakers, targets } from './compose.ts';
import { resumeWebhook as contract, resumeWorkspaceWebhook as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & StartDrainContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const subscriber = subscriberOf(request);
    const settings = await existingSettings(subscriber, dependencies.targets);
    const { target } = request.body;
    const resumed: string[] = [];
    for (const each of target ? [chosenTarget(settings, target)] : targetsOf(settings)) {
      if (await startDrain(subscriber.id, each, dependencies)) resumed.push(nameOf(each));
    }
    return ok({ resumed });
  });

export const start = serve(contracts, makeHandler, { targets, breakers, queue });

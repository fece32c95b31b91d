import { changeTarget, type TargetContext } from '#shared/domain/webhooks/change-target.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import { toTargetSettings } from '#shared/http/webhooks/target-settings.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { wait } from '#shared/runtime/providers/environment.ts';
import { targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & TargetContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { target, body } = request;
    return ok(toTargetSettings(await changeTarget(subscriberOf(request), target, body, dependencies), target));
  });

export const handler = serve(contracts, makeHandler, { access, targets, wait });

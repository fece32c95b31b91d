import type { ListContext } from '#shared/domain/deliveries/list-deliveries.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { deliveryPage } from '#shared/http/deliveries/delivery-page.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { deliveries } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies, ListContext {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { query, language } = request;
    const { id: subscriber } = subscriberOf(request);
    const path =
      'number' in request
        ? pathOf(contract.path, { number: subscriber })
        : pathOf(workspaceContract.path, { workspace: subscriber });
    return ok(
      await deliveryPage({ subscriber, path: `${dependencies.baseUrl}${path}`, query, language }, dependencies),
    );
  });

export const handler = serve(contracts, makeHandler, { access, baseUrl, deliveries });

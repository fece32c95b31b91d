import { deliveries, targets } from '#functions/webhooks/compose.ts';
import { deliveryPage, type ListContext } from '#shared/delivery/read-deliveries.ts';
import { pathOf } from '#shared/http/path.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { listDeliveries as contract, listWorkspaceDeliveries as workspaceContract } from './contracts.ts';

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

export const start = serve(contracts, makeHandler, { baseUrl, deliveries, targets });

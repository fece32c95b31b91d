import type { ListContext } from '#shared/domain/deliveries/list-deliveries.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { deliveryPage } from '#shared/http/deliveries/delivery-page.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { baseUrl } from '#shared/runtime/providers/base-url.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies, ListContext {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, query, language }) => {
    const path = `${dependencies.baseUrl}${pathOf(contract.path, { workspace: workspace.id })}`;
    return ok(await deliveryPage({ subscriber: workspace.id, path, query, language }, dependencies));
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, deliveries });

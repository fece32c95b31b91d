import { type ListContext, readDeliveryPage } from '#shared/domain/deliveries/list-deliveries.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { toDeliveryObject } from '#shared/http/deliveries/delivery-object.ts';
import { requestCursor } from '#shared/http/paging/cursor.ts';
import { pageLinks } from '#shared/http/paging/page.ts';
import { defaultPageLimit } from '#shared/http/paging/page-schemas.ts';
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
  createHandler(contract, dependencies, async ({ number, query, language }) => {
    const { state, target, since, until, limit = defaultPageLimit } = query;
    const from = requestCursor(query.cursor, number.id);
    const filter = { state, target, since: epochMs(since), until: epochMs(until) };
    const page = await readDeliveryPage({ number: number.id, filter, limit, from }, dependencies);
    const path = `${dependencies.baseUrl}${pathOf(contract.path, { number: number.id })}`;
    return ok({
      data: page.deliveries.map((delivery) => toDeliveryObject(delivery, language)),
      ...pageLinks({ path, list: number.id, filters: { state, target, since, until }, limit, from }, page),
    });
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, deliveries });

function epochMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

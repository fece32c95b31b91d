import { parseUuid } from '#shared/base/ids.ts';
import { takePage } from '#shared/base/paging.ts';
import type { MembershipStore } from '#shared/domain/accounts/membership-store.ts';
import { toNumberObject } from '#shared/http/accounts/number-object.ts';
import { requestCursor } from '#shared/http/paging/cursor.ts';
import { pageLinks } from '#shared/http/paging/page.ts';
import { defaultPageLimit } from '#shared/http/paging/page-schemas.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access, memberships } from '#shared/runtime/providers/accounts.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  memberships: Pick<MembershipStore, 'listNumbers'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ user, query }) => {
    const { limit = defaultPageLimit } = query;
    const workspace = parseUuid(query.workspace);
    const list = `numbers-of-${user}`;
    const from = requestCursor(query.cursor, list);
    const found = dependencies.memberships.listNumbers({ user, workspace, from, wanted: limit });
    const { items, more } = await takePage(found, limit, from);
    return ok({
      data: items.map(toNumberObject),
      ...pageLinks(
        { path: `${dependencies.baseUrl}${contract.path}`, list, filters: { workspace }, limit, from },
        { newest: items[0]?.id, oldest: items.at(-1)?.id, more },
      ),
    });
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, memberships });

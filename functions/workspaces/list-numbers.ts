import { toNumberObject } from '#shared/accounts/account-objects.ts';
import type { MembershipStore } from '#shared/accounts/membership-store.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { defaultPageLimit, pageLinks, requestCursor, takePage } from '#shared/http/page.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { memberships } from './compose.ts';
import { listNumbers as contract } from './contracts.ts';

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

export const start = serve(contract, makeHandler, { baseUrl, memberships });

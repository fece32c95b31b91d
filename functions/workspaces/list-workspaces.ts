import { toWorkspaceObject } from '#shared/accounts/account-objects.ts';
import type { MembershipStore } from '#shared/accounts/membership-store.ts';
import { defaultPageLimit, pageLinks, requestCursor, takePage } from '#shared/http/page.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { memberships } from './compose.ts';
import { listWorkspaces as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  memberships: Pick<MembershipStore, 'listWorkspaces'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ user, query }) => {
    const { limit = defaultPageLimit } = query;
    const list = `workspaces-of-${user}`;
    const from = requestCursor(query.cursor, list);
    const found = dependencies.memberships.listWorkspaces({ user, from, wanted: limit });
    const { items, more } = await takePage(found, limit, from);
    return ok({
      data: items.map(toWorkspaceObject),
      ...pageLinks(
        { path: `${dependencies.baseUrl}${contract.path}`, list, filters: {}, limit, from },
        { newest: items[0]?.workspace.id, oldest: items.at(-1)?.workspace.id, more },
      ),
    });
  });

export const start = serve(contract, makeHandler, { baseUrl, memberships });

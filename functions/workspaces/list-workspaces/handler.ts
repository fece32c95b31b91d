import { takePage } from '#shared/base/paging.ts';
import type { MembershipStore } from '#shared/domain/accounts/membership-store.ts';
import { toWorkspaceObject } from '#shared/http/accounts/workspace-object.ts';
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

export const handler = serve(contract, makeHandler, { access, baseUrl, memberships });

import { toWorkspaceObject } from '#shared/accounts/account-objects.ts';
import type { MembershipStore } from '#shared/accounts/membership-store.ts';
import { readPage } from '#shared/http/page.ts';
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
    const { memberships, baseUrl } = dependencies;
    const { items, ...page } = await readPage(
      { path: `${baseUrl}${contract.path}`, list: `workspaces-of-${user}`, query },
      (from, wanted) => memberships.listWorkspaces({ user, from, wanted }),
      ({ workspace }) => workspace.id,
    );
    return ok({ data: items.map(toWorkspaceObject), ...page });
  });

export const start = serve(contract, makeHandler, { baseUrl, memberships });

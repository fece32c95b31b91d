import { toNumberObject } from '#shared/accounts/account-objects.ts';
import type { MembershipStore } from '#shared/accounts/membership-store.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { readPage } from '#shared/http/page.ts';
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
    const { memberships, baseUrl } = dependencies;
    const workspace = parseUuid(query.workspace);
    const { items, ...page } = await readPage(
      { path: `${baseUrl}${contract.path}`, list: `numbers-of-${user}`, query, filters: { workspace } },
      (from, wanted) => memberships.listNumbers({ user, workspace, from, wanted }),
      ({ id }) => id,
    );
    return ok({ data: items.map(toNumberObject), ...page });
  });

export const start = serve(contract, makeHandler, { baseUrl, memberships });

import { membershipStore } from '#shared/accounts/membership-store.ts';
import type { Table } from '#shared/aws/table.ts';
import { accessReader } from '#shared/operations/access-store.ts';
import { table } from '#shared/operations/resources/table.ts';
import { provider } from '#shared/operations/serve.ts';

/** Provides what only the table is needed for. */
export const ofTable = <T>(open: (table: Table) => T) => provider({ table }, ({ table }) => open(table));

export const access = /* @__PURE__ */ ofTable(accessReader);
export const memberships = /* @__PURE__ */ ofTable(membershipStore);

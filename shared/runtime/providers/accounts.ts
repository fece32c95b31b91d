import { accessReader } from '#shared/adapters/dynamodb/accounts/access.ts';
import { membershipStore } from '#shared/adapters/dynamodb/accounts/memberships.ts';
import { ofTable } from './of-table.ts';

export const access = /* @__PURE__ */ ofTable(accessReader);
export const memberships = /* @__PURE__ */ ofTable(membershipStore);

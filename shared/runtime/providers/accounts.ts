import { accessReader } from '#shared/adapters/dynamodb/accounts/access.ts';
import { membershipStore } from '#shared/adapters/dynamodb/accounts/memberships.ts';
import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { ofTable } from './of-table.ts';

export const access = /* @__PURE__ */ ofTable(accessReader);
export const tokens = /* @__PURE__ */ ofTable(tokenStore);
export const memberships = /* @__PURE__ */ ofTable(membershipStore);

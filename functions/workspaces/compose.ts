import { membershipStore } from '#shared/accounts/membership-store.ts';
import { table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';

export const memberships = (environment: Environment<'table'>) => membershipStore(table(environment));

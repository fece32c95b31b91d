import { membershipStore } from '#shared/adapters/dynamodb/accounts/memberships.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const memberships = provider({ table }, ({ table }) => membershipStore(table));

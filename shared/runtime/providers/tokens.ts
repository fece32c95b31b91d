import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const tokens = provider({ table }, ({ table }) => tokenStore(table));

import { tokenStore } from '#shared/adapters/dynamodb/tokens.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const tokens = provider({ table }, ({ table }) => tokenStore(table));

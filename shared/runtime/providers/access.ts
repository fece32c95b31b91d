import { accessReader } from '#shared/adapters/dynamodb/accounts/access.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const access = provider({ table }, ({ table }) => accessReader(table));

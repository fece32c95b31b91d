import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const access = provider({ table }, ({ table }) => accessReader(table));

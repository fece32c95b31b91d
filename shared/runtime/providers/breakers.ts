import { breakerStore } from '#shared/adapters/dynamodb/breakers.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const breakers = provider({ table }, ({ table }) => breakerStore(table));

import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const breakers = provider({ table }, ({ table }) => breakerStore(table));

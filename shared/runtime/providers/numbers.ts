import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const numbers = provider({ table }, ({ table }) => numberStore(table));

import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const numbers = provider({ table }, ({ table }) => numberStore(table));

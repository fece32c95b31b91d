import { exchangeStore } from '#shared/adapters/dynamodb/flows/exchanges.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const exchanges = provider({ table }, ({ table }) => exchangeStore(table));

import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const flows = provider({ table }, ({ table }) => flowStore(table));

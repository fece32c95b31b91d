import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

/** Finds a Flow by its id, in any workspace. */
export const findFlow = provider({ table }, ({ table }) => flowStore(table).find);

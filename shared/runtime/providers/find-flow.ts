import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

/** The Flow with an id, in whichever workspace it is. */
export const findFlow = provider({ table }, ({ table }) => flowStore(table).find);

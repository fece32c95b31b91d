import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const targets = provider({ table }, ({ table }) => targetStore(table));

import { previewStore } from '#shared/adapters/dynamodb/flows/previews.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const previews = provider({ table }, ({ table }) => previewStore(table));

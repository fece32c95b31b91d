import { keyedRequestStore } from '#shared/adapters/dynamodb/keyed-requests.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const keyedRequests = provider({ table }, ({ table }) => keyedRequestStore(table));

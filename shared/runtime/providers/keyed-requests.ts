import { keyedRequestStore } from '#shared/adapters/dynamodb/keyed-requests.ts';
import { keyedRequests as runsWithKey } from '#shared/http/wrapper/keyed-request.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const keyedRequests = provider({ table }, ({ table }) => runsWithKey(keyedRequestStore(table)));

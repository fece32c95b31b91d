import { isThrottled as isThrottledByTable } from '#shared/adapters/dynamodb/table/throttled.ts';
import { provider } from '../provider.ts';

export const isThrottled = provider({}, () => isThrottledByTable);

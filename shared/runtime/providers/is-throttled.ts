import { isThrottled as isThrottledByTable } from '#shared/adapters/dynamodb/throttled.ts';
import { provider } from '../provider.ts';

export const isThrottled = provider({}, () => isThrottledByTable);

import { isPassing as isPassingForTable } from '#shared/adapters/dynamodb/table/passing.ts';
import { provider } from '../provider.ts';

export const isPassing = provider({}, () => isPassingForTable);

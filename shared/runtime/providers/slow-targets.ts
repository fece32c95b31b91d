import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { slowTargets as rememberSlowTargets } from '#shared/domain/deliveries/slow-targets.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const slowTargets = provider({ table }, ({ table }, now) => rememberSlowTargets(targetStore(table), now));

import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { slowTargets as rememberSlowTargets } from '#shared/domain/attempts/slow-targets.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const slowTargets = provider({ table }, ({ table }, now) => rememberSlowTargets(targetStore(table), now));

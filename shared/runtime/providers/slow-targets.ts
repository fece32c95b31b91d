import { slowTargets as rememberSlowTargets } from '#shared/domain/deliveries/slow-targets.ts';
import { provider } from '../provider.ts';

export const slowTargets = provider({}, (_, now) => rememberSlowTargets(now));

import { failuresInARow as rememberFailuresInARow } from '#shared/domain/attempts/failures-in-a-row.ts';
import { provider } from '../provider.ts';

export const failuresInARow = provider({}, (_, now) => rememberFailuresInARow(now));

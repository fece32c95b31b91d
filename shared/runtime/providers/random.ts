import { provider } from '../provider.ts';

/** Numbers in [0, 1). */
export const random = provider({}, () => Math.random);

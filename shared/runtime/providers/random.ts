import { provider } from '../provider.ts';

/** Returns random numbers in [0, 1). */
export const random = provider({}, () => Math.random);

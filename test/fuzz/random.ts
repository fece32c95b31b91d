import { pickFrom, randomFrom } from '#support/random.ts';

/** Choices that depend on a seed alone. */
export interface Random {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with the probability `share`. */
  chance(share: number): boolean;
}

/** The choices of a seed, a whole number. */
export function createRandom(seed: number): Random {
  const next = randomFrom(seed);
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: (share) => next() < share,
    pick: (list) => pickFrom(list, next),
  };
}

/** The seed of one request of a run, so that neighbouring requests have nothing in common. */
export const requestSeed = (seed: number, index: number) =>
  Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);

/** Choices that depend on a seed alone. */
export interface Random {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with the probability `share`. */
  chance(share: number): boolean;
}

/** The generator of a seed (mulberry32), a whole number. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    chance: (share) => next() < share,
    pick(list) {
      if (list.length === 0) throw new Error('There is nothing to pick from');
      return list[below(list.length)] as (typeof list)[number];
    },
  };
}

/** The seed of one request of a run, so that neighbouring requests have nothing in common. */
export const requestSeed = (seed: number, index: number) =>
  Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);

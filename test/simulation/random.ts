export type Random = ReturnType<typeof seededRandom>;

/** A stream of random values that is the same for the same seed (sfc32, seeded by splitmix32). */
export function seededRandom(seed: number) {
  let mixed = seed | 0;
  const mix = () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let value = mixed ^ (mixed >>> 16);
    value = Math.imul(value, 0x21f0aaad);
    value ^= value >>> 15;
    value = Math.imul(value, 0x735a2d97);
    return value ^ (value >>> 15);
  };
  let a = mix();
  let b = mix();
  let c = mix();
  let counter = mix();

  /** In [0, 1). */
  function next(): number {
    const value = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + value) | 0;
    return (value >>> 0) / 2 ** 32;
  }

  const below = (end: number) => Math.floor(next() * end);

  return {
    next,
    /** An integer from 0 to below `end`. */
    below,
    /** An integer between both, which are included. */
    between: (low: number, high: number) => low + below(high - low + 1),
    chance: (probability: number) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('Nothing to pick from');
      return list[below(list.length)] as T;
    },
    /** A UUID of version 7 for this time. */
    uuid(time: number): string {
      const digits = Array.from({ length: 20 }, () => below(16).toString(16)).join('');
      const stamp = time.toString(16).padStart(12, '0');
      return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
    },
    /** Another stream, independent of how much is drawn from this one from now on. */
    fork: () => seededRandom(below(2 ** 32)),
  };
}

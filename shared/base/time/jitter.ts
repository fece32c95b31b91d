/** Each delay varies by up to this part of itself, so that what failed together does not return together. */
const jitter = 0.2;

/** Returns the seconds with their jitter. `random` is in [0, 1). */
export function withJitter(seconds: number, random: number): number {
  return seconds * (1 - jitter + 2 * jitter * random);
}

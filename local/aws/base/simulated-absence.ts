/**
 * Whether a program counts as not installed. `SIMULATE_MISSING` names such programs, with commas between them, so that
 * one machine can try what happens on others: `dynoxide`, `java`, `chromium`.
 */
export function isSimulatedMissing(program: 'dynoxide' | 'java' | 'chromium'): boolean {
  return (process.env.SIMULATE_MISSING ?? '').split(',').includes(program);
}

import type { Clock } from '../clock.ts';
import { validSecrets } from '../numbers/number.ts';
import type { NumberStore } from '../storage/numbers.ts';
import type { TargetStore } from '../storage/targets.ts';

/** Each adds a signature of some fifty characters to a header. */
const mostNumbers = 20;

/**
 * The secrets that sign what is sent for a workspace rather than for one of its numbers: those of all its active
 * numbers, so that each verifies it.
 */
export async function signingSecrets(
  workspace: string,
  {
    numbers,
    targets,
    now,
  }: { numbers: Pick<NumberStore, 'listByWorkspace'>; targets: Pick<TargetStore, 'getSecrets'>; now: Clock },
): Promise<string[]> {
  const active = (await numbers.listByWorkspace(workspace)).filter((number) => number.active);
  const secrets = await Promise.all(active.slice(0, mostNumbers).map(({ id }) => targets.getSecrets(id)));
  return secrets.flatMap((known) => (known ? validSecrets(known, now()) : []));
}

import { describeFailure } from '../terminal/failures.ts';

/** Something that a trial made, or several things, and how to remove it. */
export interface Removal {
  /** As in "Not removed: the user". */
  what: string;
  remove: () => Promise<unknown>;
}

/** Tries every removal, whatever became of the others. Resolves with what failed, a line for each. */
export async function removeAll(removals: readonly Removal[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { what, remove } of removals) {
    try {
      await remove();
    } catch (error) {
      failures.push(`Not removed: ${what}. ${describeFailure(error)}`);
    }
  }
  return failures;
}

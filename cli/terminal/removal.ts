import { UsageError } from './errors.ts';
import type { Result } from './render.ts';

/** What a command is about to remove. */
export interface Removal {
  /** One sentence. Without it, the command removes nothing this time, and does not ask. */
  warning?: string | undefined;
  /** What the command does besides, in one sentence. */
  effect?: string | undefined;
  /** What is lost, by kind: how many, or which. */
  removes: Readonly<Record<string, string | number>>;
  carryOut(): Promise<Result>;
}

/** How to proceed with a removal. */
export interface Approval {
  yes: boolean;
  dryRun: boolean;
  /** Asks the person at the terminal; `undefined` if there is none. */
  confirm: (question: string) => Promise<boolean | undefined>;
  /** The command that removes without asking. */
  command: string;
}

/** Shows what would be removed, or removes it: at once with `--yes`, else when the person at the terminal agrees. */
export async function carryOut(removal: Removal, { yes, dryRun, confirm, command }: Approval): Promise<Result> {
  const { warning, effect, removes } = removal;
  if (dryRun) {
    const sentences = [effect, warning ?? 'This removes nothing.', 'Nothing was changed.'].filter(Boolean);
    return { value: removes, note: `${sentences.join(' ')} To carry it out without a question: ${command}` };
  }
  if (yes || warning === undefined) return removal.carryOut();
  const isApproved = await confirm([warning, ...listOf(removes)].join('\n'));
  if (isApproved === undefined) {
    throw new UsageError(
      `${warning} ${listOf(removes).join(', ')}. Nothing was changed, because there is no terminal to ask at. ` +
        `To carry it out without a question: ${command}`,
    );
  }
  return isApproved ? removal.carryOut() : { value: removes, note: 'Nothing was changed.', hasFindings: true };
}

const listOf = (removes: Removal['removes']) =>
  Object.entries(removes).map(([kind, amount]) => `${kind.replaceAll('_', ' ')}: ${amount}`);

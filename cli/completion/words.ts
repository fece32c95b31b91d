import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { leaves } from '../terminal/help.ts';

/** What can follow the words that are complete already. */
export interface CompletionWords {
  /**
   * By the noun, by the noun and the verb with a space between them, or by an option with a few values; the nouns
   * themselves are under the empty text.
   */
  after: ReadonlyMap<string, readonly string[]>;
  /** The commands of one word. */
  single: readonly string[];
  /** The options after which a value follows. Only those that are in `after` have values to choose from. */
  takeValues: readonly string[];
  /** The commands whose argument is a file. */
  takeFiles: readonly string[];
}

export function completionWords(program: CommandUnknownOpts): CompletionWords {
  const after = new Map<string, string[]>([['', program.commands.map((group) => group.name())]]);
  for (const group of program.commands) {
    const verbs = group.commands.map((verb) => verb.name());
    after.set(group.name(), verbs);
  }
  const takeValues = new Set<string>();
  const takeFiles: string[] = [];
  for (const command of leaves(program)) {
    const path = pathOf(command);
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    after.set(path, [...choices, ...command.options.flatMap(({ long }) => long ?? []), '--help']);
    if (command.registeredArguments.some((argument) => argument.name() === 'file')) takeFiles.push(path);
    for (const { long, required, argChoices } of command.options) {
      if (!required || !long) continue;
      takeValues.add(long);
      if (argChoices) after.set(long, argChoices);
    }
  }
  const single = leaves(program)
    .map(pathOf)
    .filter((path) => !path.includes(' '));
  return { after, single, takeValues: [...takeValues].sort(), takeFiles };
}

/** The noun and the verb of a command, or its only word. */
function pathOf(command: CommandUnknownOpts): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : '';
  return group + command.name();
}

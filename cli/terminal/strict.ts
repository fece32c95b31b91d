import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from './errors.ts';

/*
 * Finds likely mistakes that commander itself does not check.
 */

/** Rejects an option that is given twice, and one whose value looks like the next option. */
export function rejectSuspectOptions(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    let isGiven = false;
    command.on(`option:${option.name()}`, (value?: string) => {
      if (isGiven && !option.variadic) throw new UsageError(`--${option.name()} is given twice.`);
      if (value?.startsWith('--')) throw new UsageError(`--${option.name()} needs a value, but ${value} follows.`);
      isGiven = true;
    });
  }
}

/** Reports a missing or unknown subcommand in one line that lists the known ones. */
export function requireSubcommand(group: CommandUnknownOpts): void {
  group
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      const [word] = group.args;
      const names = group.commands.map((command) => command.name()).join(', ');
      if (word === undefined) throw new UsageError(`${group.name()} needs a command, one of: ${names}.`);
      if (word.startsWith('-')) throw new UsageError(`The command must come first, then ${word}.`);
      const place = group.parent ? `${group.name()} has` : 'There is';
      throw new UsageError(`${place} no command ${JSON.stringify(word)}; the commands are: ${names}.`);
    });
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from './failures.ts';
import { programName } from './help.ts';

/*
 * Finds likely mistakes that commander itself does not check.
 */

/** Rejects an option that is given twice, and one whose value looks like the next option. */
export function rejectSuspectOptions(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    let isGiven = false;
    command.on(`option:${option.name()}`, (value?: string) => {
      if (isGiven) throw new UsageError(`--${option.name()} is given twice.`);
      if (value?.startsWith('--')) throw new UsageError(`--${option.name()} needs a value, but ${value} follows.`);
      isGiven = true;
    });
  }
}

/** Options that npm has, too: anyone may set them for npm itself. */
const ofNpm: readonly string[] = ['--json', '--workspace', '--yes'];

/**
 * Rejects options that npm took for its own, because there was no `--` before them. It shows scripts all of them but
 * `--local`, which it takes for a short form of its `--local-address`.
 *
 * @param path the command that is run, from the noun on
 */
export function rejectTakenByNpm(
  path: readonly CommandUnknownOpts[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const options = path.at(-1)?.options.flatMap(({ long }) => long ?? []) ?? [];
  const taken = [...new Set([...options, '--dry-run'])].filter(
    (option) => !ofNpm.includes(option) && isTakenByNpm(option, environment),
  );
  if (taken.length === 0) return;
  const own = taken.length === 1 ? 'an option' : 'options';
  const words = [programName, ...path.map((command) => command.name()), ...taken.flatMap((option) => ['…', option])];
  throw new UsageError(
    `npm took ${taken.join(', ')} for ${own} of its own, and nothing was done. Put -- before all options: ${words.join(' ')}`,
  );
}

/** A flag is true, and one that begins with "no" makes its opposite empty. */
function isTakenByNpm(option: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const [, no, name = ''] = /^--(no-)?(.+)$/.exec(option) ?? [];
  const value = environment[`npm_config_${name.replaceAll('-', '_')}`];
  return no ? value === '' : Boolean(value) && value !== 'false';
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
      if (word.startsWith('-')) throw new UsageError(`The noun and the verb must come first, then ${word}.`);
      const place = group.parent ? `${group.name()} has` : 'There is';
      throw new UsageError(`${place} no command ${JSON.stringify(word)}; the commands are: ${names}.`);
    });
}

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { describeTaken, takenByNpm } from '#shared/base/taken-by-npm.ts';

/** Prints the usage and ends the process if the command line asks for help. */
export function helpIfAsked(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(usage);
  process.exit(0);
}

/**
 * Reads the arguments of a program. `--help` prints the usage and ends the process with 0. Arguments that it does not
 * know, and those that npm took, end it with 2.
 *
 * @param usage begins with `Usage: npm run name -- `
 */
export function readArguments<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  helpIfAsked(usage);
  const taken = takenByNpm(Object.keys(config.options ?? {}), process.env);
  if (taken.length > 0) {
    const [command = ''] = /npm run \w+ --/.exec(usage) ?? [];
    fail(describeTaken(taken, command));
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [first = ''] = error.message.split('. ');
    fail(`${first}.\n${usage}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

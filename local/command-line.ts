import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Prints the usage and ends the process if the command line asks for help. */
export function helpIfAsked(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(usage);
  process.exit(0);
}

/**
 * Reads the words of a command line. `--help` prints the usage and ends the process with 0; words that the program does
 * not know end it with 2.
 */
export function readCommandLine<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  helpIfAsked(usage);
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [first = ''] = error.message.split('. ');
    console.error(`${first}.\n${usage}`);
    process.exit(2);
  }
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { leaves } from './help.ts';
import { line, stage } from './parameters.ts';

/** Adds the options of every command that works on a service. */
export function addServiceOptions(commands: readonly CommandUnknownOpts[]): void {
  for (const command of commands.flatMap((each) => (each.commands.length > 0 ? leaves(each) : each))) {
    command
      .optionsGroup('Options of every command:')
      .option('--local', 'work on the local world, which must be running')
      .option('--live', 'work on the live world, which must be running')
      .option('--stage <stage>', 'work on the deployment of this stage, such as prod', stage)
      .option('--table <name>', 'work on this table in place of that of the stage, such as a restored one', line(255))
      .option('--json', 'print one JSON value instead of text')
      .helpOption('-h, --help', 'show this help');
  }
}

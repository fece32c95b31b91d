import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import { exampleWithoutService } from '../terminal/help.ts';

export function addStartCommand(root: Command, { program }: Actions): void {
  root
    .command('start')
    .description('Runs the whole service on this machine, until Ctrl-C. Its variables are in docs/local-world.md.')
    .option('--fresh', 'begin without the data of earlier runs')
    .option('--demo', 'create a Flow to look at')
    .option('--live', 'use the real WhatsApp platform; PUBLIC_URL is the address of your tunnel')
    .addHelpText('after', exampleWithoutService('start --demo'))
    .action(program(async (flags) => (await import('#local/start/run.ts')).start(flags)));
}

export function addReceiveCommand(root: Command, { program }: Actions): void {
  root
    .command('receive')
    .description('Shows the notifications of a number of the running world, until Ctrl-C.')
    .argument('[number]', 'id of the number; without it, the first number of the simulated world')
    .option('--live', 'receive from the live world, with a token of the workspace in TOKEN')
    .addHelpText('after', exampleWithoutService('receive'))
    .action(program(async (number, options) => (await import('#local/receive.ts')).receive(number, options)));
}

export function addTailCommand(root: Command, { program }: Actions): void {
  root
    .command('tail')
    .description('Shows requests, events and deliveries of the running world as they happen, until Ctrl-C.')
    .option('--live', 'follow the live world')
    .option('--json', 'print each change as a line of JSON')
    .addHelpText('after', exampleWithoutService('tail --json'))
    .action(program(async (options) => (await import('#local/tail/tail.ts')).tail(options)));
}

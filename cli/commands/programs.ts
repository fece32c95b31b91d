import type { Command } from '@commander-js/extra-typings';
import type { Approval } from '#infra/deploy/deploy.ts';
import type { destroy } from '#infra/deploy/destroy.ts';
import { addSettingOptions, typedSettings } from '#infra/settings.ts';
import type { Actions } from '../command-actions.ts';
import { startCommand } from '../terminal/hints.ts';

export function addStartCommand(root: Command, { program }: Actions): void {
  root
    .command('start')
    .description('Runs the whole service on this machine, until Ctrl-C. Its variables are in docs/local-world.md.')
    .option('--fresh', 'begin without the data of earlier runs')
    .option('--demo', 'create a Flow to look at')
    .option('--json', 'print the logs of the functions as lines of JSON')
    .option('--live', 'use the real WhatsApp platform; PUBLIC_URL is the address of your tunnel')
    .action(program(async (flags) => (await import('#local/start/run.ts')).start(flags)));
}

export function addReceiveCommand(root: Command, { program }: Actions): void {
  root
    .command('receive')
    .description('Shows the notifications of a number of the running world, until Ctrl-C.')
    .argument('[number]', 'id of the number; without it, the first number of the simulated world')
    .option('--live', 'receive from the live world, with a token of the workspace in TOKEN')
    .action(
      program(async (number, options) =>
        (await import('#local/receive.ts')).receive(number, { ...options, start: startCommand(options) }),
      ),
    );
}

export function addTailCommand(root: Command, { program }: Actions): void {
  root
    .command('tail')
    .description('Shows requests, events and deliveries of the running world as they happen, until Ctrl-C.')
    .option('--live', 'follow the live world')
    .option('--json', 'print each change as a line of JSON')
    .action(
      program(async (options) =>
        (await import('#local/tail/tail.ts')).tail({ ...options, start: startCommand(options) }),
      ),
    );
}

export function addDeployCommand(root: Command, { program }: Actions): void {
  const command = root
    .command('deploy')
    .description(
      'Checks the settings and the AWS account, and runs cdk deploy. docs/deploying.md explains the settings.',
    )
    .option('--dry-run', 'only check')
    .option('--yes', 'do not ask before rights change');
  const run = async () => (await import('#infra/deploy/deploy.ts')).deploy;
  addSettingOptions(command).action(program(async (options) => onStack(await run(), options)));
}

export function addDestroyCommand(root: Command, { program }: Actions): void {
  const command = root
    .command('destroy')
    .description('Says what is removed and what is kept, asks for the name of the stage, and runs cdk destroy.')
    .option('--dry-run', 'only say it')
    .option('--yes', 'do not ask');
  const run = async () => (await import('#infra/deploy/destroy.ts')).destroy;
  addSettingOptions(command).action(program(async (options) => onStack(await run(), options)));
}

async function onStack(run: typeof destroy, options: Approval): Promise<number> {
  const { terminal } = await import('#infra/deploy/deployment-terminal.ts');
  return run(typedSettings(options), options, process.env, terminal);
}

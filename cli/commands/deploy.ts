import type { Command } from '@commander-js/extra-typings';
import { addSettingOptions, typedSettings } from '#infra/settings.ts';
import type { Actions } from '../actions.ts';
import { exampleWithoutService } from '../terminal/help.ts';

const shell = async () => (await import('#infra/deploy/terminal.ts')).terminal;

export function addDeployCommand(root: Command, { program }: Actions): void {
  const command = root
    .command('deploy')
    .description(
      'Checks the settings and the AWS account, names everything that is wrong, and then runs cdk deploy. ' +
        'docs/deploying.md explains the settings.',
    )
    .option('--dry-run', 'only check')
    .option('--yes', 'do not ask before rights change')
    .addHelpText('after', exampleWithoutService('deploy --stage prod --alarm-email ops@example.com'));
  addSettingOptions(command).action(
    program(async (options) => {
      const { deploy } = await import('#infra/deploy/deploy.ts');
      return deploy(typedSettings(options), options, process.env, await shell());
    }),
  );
}

export function addDestroyCommand(root: Command, { program }: Actions): void {
  const command = root
    .command('destroy')
    .description(
      'Says what is removed and what is kept, asks for the name of the stage, and then runs cdk destroy with the ' +
        'settings of the deployment.',
    )
    .option('--dry-run', 'only say it')
    .option('--yes', 'do not ask')
    .addHelpText('after', exampleWithoutService('destroy --stage dev'));
  addSettingOptions(command).action(
    program(async (options) => {
      const { destroy } = await import('#infra/deploy/destroy.ts');
      return destroy(typedSettings(options), options, process.env, await shell());
    }),
  );
}

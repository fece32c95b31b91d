import type { Command } from '@commander-js/extra-typings';
import { addSettingOptions, typedSettings } from '#infra/settings.ts';
import type { Actions } from '../actions.ts';
import { exampleWithoutService } from '../terminal/help.ts';

export function addDeployCommand(root: Command, { program }: Actions): void {
  const command = root
    .command('deploy')
    .description(
      'Checks the settings and the AWS account, names everything that is wrong, and then runs cdk deploy. ' +
        'docs/deploying.md explains the settings.',
    )
    .option('--dry-run', 'only check')
    .option('--yes', 'do not ask before rights change');
  addSettingOptions(command)
    .addHelpText('after', exampleWithoutService('deploy --stage prod --alarm-email ops@example.com'))
    .action(
      program(async (options) => {
        const [{ deploy }, { terminal }] = await Promise.all([
          import('#infra/deploy/deploy.ts'),
          import('#infra/deploy/terminal.ts'),
        ]);
        return deploy(typedSettings(options), options, process.env, terminal);
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
    .option('--yes', 'do not ask');
  addSettingOptions(command)
    .addHelpText('after', exampleWithoutService('destroy --stage dev'))
    .action(
      program(async (options) => {
        const [{ destroy }, { terminal }] = await Promise.all([
          import('#infra/deploy/destroy.ts'),
          import('#infra/deploy/terminal.ts'),
        ]);
        return destroy(typedSettings(options), options, process.env, terminal);
      }),
    );
}

import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import { CannotCheck, UsageError } from '../terminal/errors.ts';
import { exampleWithoutService } from '../terminal/help.ts';
import { stage } from '../terminal/parameters.ts';

export function addSmokeCommand(root: Command, { program }: Actions): void {
  root
    .command('smoke')
    .description(
      'Tries a deployed stage, or the running local world, end to end: API, tokens, events, queue, deliveries, bucket, ' +
        'previews, dead letters and alarms. It makes a temporary user, workspace, number and Flow, and removes them, ' +
        'also after Ctrl-C. It never makes the service call the WhatsApp Cloud API. The exit code is 0 if all is well, ' +
        '1 if something is wrong, 2 if it could not run, 130 if it was interrupted.',
    )
    .option('--local', 'try the local world, which must be running')
    .option('--stage <stage>', 'try the deployment of this stage', stage)
    .option(
      '--receiver <url>',
      'a server that responds 200 to every POST; without it, no notification of a stage is delivered',
      url,
    )
    .addHelpText('after', exampleWithoutService('smoke --local'))
    .action(
      program(async ({ local = false, stage: name, receiver }) => {
        if (local === (name !== undefined)) throw new UsageError('Give either --local or --stage <stage>.');
        const { smoke } = await import('../smoke/smoke.ts');
        return smoke(name, receiver).catch((error: unknown) => {
          throw new CannotCheck(error);
        });
      }),
    );
}

function url(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

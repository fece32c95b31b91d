import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import type { CommonOptions } from '../terminal/hints.ts';
import { processTerminal } from '../terminal/terminal.ts';

export function addSmokeCommand(program: Command, { checking }: Actions): void {
  program
    .command('smoke')
    .description(
      'Tries the service end to end: API, tokens, events, queue, deliveries, bucket, previews, dead letters and ' +
        'alarms. It makes a temporary user, workspace, number and Flow, and removes them, also after Ctrl-C. It never ' +
        'makes the service call the WhatsApp Cloud API. The exit code is 0 if all is well, 1 if something is wrong, 2 ' +
        'if it could not run or could not remove what it made, 130 if it was interrupted.',
    )
    .option(
      '--receiver <url>',
      'a server that responds 200 to every POST; without it, no notification of a deployment is delivered',
      url,
    )
    .action(
      checking(async (service, { receiver, ...options }) => {
        const { smoke } = await import('../smoke/smoke.ts');
        const { json }: CommonOptions = options;
        return smoke(service, receiver, processTerminal(json === true).say);
      }),
    );
}

function url(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

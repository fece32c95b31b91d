import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Actions } from '../command-actions.ts';
import type { CommonOptions } from '../terminal/hints.ts';
import { processTerminal } from '../terminal/terminal.ts';

export function addSmokeCommand(program: Command, { checking }: Actions): void {
  program
    .command('smoke')
    .description(
      'Tries the service end to end with a temporary workspace, without calling the WhatsApp Cloud API. ' +
        'Exit code: 0 all is well, 1 not, 2 could not run or not remove what it made, 130 interrupted.',
    )
    .option('--receiver <url>', 'a server that responds 200 to every POST, to which a deployment can deliver', url)
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

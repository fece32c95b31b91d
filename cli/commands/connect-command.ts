import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Actions } from '../command-actions.ts';
import type { ConnectOptions } from '../connect/steps.ts';
import { findReferredNumber } from '../lookup.ts';
import { callbackLevels } from '../platform/event-address.ts';
import type { Service } from '../service.ts';
import type { CommonOptions } from '../terminal/hints.ts';
import { numberReference } from '../terminal/parameters.ts';
import type { Result } from '../terminal/render.ts';
import { processTerminal } from '../terminal/terminal.ts';

export function addConnectCommand(program: Command, { onService }: Actions): void {
  program
    .command('connect')
    .description(
      'Brings the events of a number here, step by step. Changes only what is missing, so it can be repeated.',
    )
    .argument('<number>', "id of the number, or the platform's id of a number that exists here", numberReference)
    .addOption(new Option('--callback <level>', 'where to set the address for events').choices(callbackLevels))
    .option('--fields <names>', 'fields of the platform, comma-separated (default: those that are needed)', fieldNames)
    .addOption(new Option('--calling <state>', 'turn calls on').choices(['on']))
    .option('--pin', 'ask for the PIN of two-step verification, if the number has one')
    .option('--wait <seconds>', 'how long to wait for a new message (default: 300 at a terminal, else 0)', seconds)
    .option('--dry-run', 'only show what would be done')
    .action(
      onService((service, reference, { wait, ...options }) =>
        connectNumber(service, reference, { ...options, waitSeconds: wait }),
      ),
    );
}

async function connectNumber(
  service: Service,
  reference: string,
  options: ConnectOptions & CommonOptions,
): Promise<Result> {
  const { connect } = await import('../connect/connect-number.ts');
  const { stepLine } = await import('../connect/steps.ts');
  const number = await findReferredNumber(service, reference);
  const terminal = processTerminal(options.json === true);
  const steps = await connect(service, number, options, {
    terminal,
    show: (result) => {
      // A PIN is shown at once, because the command can be interrupted before its result.
      if (!options.json || result.pin !== undefined) terminal.say(stepLine(result));
    },
  });
  const hasFailed = steps.has('failed');
  return {
    value: {
      number: number.id,
      phone_number_id: number.phone_number_id,
      connected: !hasFailed && !options.dryRun,
      steps: steps.results.map((result) => ({ ...result })),
    },
    text: hasFailed
      ? '\nNot connected. Do what the failed steps say, then run the command again.'
      : `\n${options.dryRun ? 'Nothing was changed.' : 'Connected.'}`,
    hasFindings: hasFailed,
  };
}

function fieldNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => /^[a-z][a-z_]{1,63}$/.test(name))) return [...new Set(names)];
  throw new InvalidArgumentError('It must be names with commas between them, such as messages,calls.');
}

function seconds(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds, at most 9999.');
}

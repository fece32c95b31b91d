import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import { findReferredNumber } from '../lookup.ts';
import { numberReference } from '../terminal/parameters.ts';

export function addDoctorCommand(program: Command, { checking }: Actions): void {
  program
    .command('doctor')
    .description(
      'Reads back everything that sending, receiving and calling depend on, and names what is wrong with the command ' +
        'that fixes it. The exit code is 0 if all is well, 1 if something is wrong, 2 if doctor itself could not run.',
    )
    .argument(
      '[number]',
      'id of a number, here or at the platform; without it, the whole deployment with its active numbers',
      numberReference,
    )
    .option('--fix', 'fix what can be fixed safely, and read everything again')
    .action(
      checking(async (service, reference, { fix = false }) => {
        const number = reference === undefined ? undefined : (await findReferredNumber(service, reference)).id;
        const { diagnose } = await import('../doctor/diagnose.ts');
        return diagnose(service, { number, fix });
      }),
    );
}

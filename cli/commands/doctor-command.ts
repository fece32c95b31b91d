import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../command-actions.ts';
import { findReferredNumber } from '../lookup.ts';
import { numberReference } from '../terminal/parameters.ts';

export function addDoctorCommand(program: Command, { checking }: Actions): void {
  program
    .command('doctor')
    .description(
      'Checks what sending, receiving and calling depend on. Exit code: 0 all is well, 1 not, 2 could not run.',
    )
    .argument('[number]', 'id of a number, here or at the platform; without it, all active ones', numberReference)
    .option('--fix', 'fix what can be fixed safely, and read everything again')
    .action(
      checking(async (service, reference, { fix = false }) => {
        const number = reference === undefined ? undefined : (await findReferredNumber(service, reference)).id;
        const { diagnose } = await import('../doctor/diagnose.ts');
        return diagnose(service, { number, fix });
      }),
    );
}

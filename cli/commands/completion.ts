import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import { completionScript, shells } from '../completion/scripts.ts';
import { completionWords } from '../completion/words.ts';
import { exampleWithoutService } from '../terminal/help.ts';

export function addCompletionCommands(program: Command, { printing }: Actions): void {
  const group = program.command('completion').description('Prints a script that completes commands in a shell.');
  for (const shell of shells) {
    group
      .command(shell)
      .description(`Prints a script for ${shell} that completes what follows "npm run admin --".`)
      .addHelpText('after', exampleWithoutService(`completion ${shell}`))
      .action(printing(() => completionScript(shell, completionWords(program))));
  }
}

import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../actions.ts';
import { completionScript, shells } from '../completion/scripts.ts';
import { completionWords } from '../completion/words.ts';
import { exampleWithoutService } from '../terminal/help.ts';

/** @param whole makes the program with all its commands */
export function addCompletionCommands(program: Command, { printing }: Actions, whole: () => Promise<Command>): void {
  const group = program.command('completion').description('Prints a script that completes commands in a shell.');
  for (const shell of shells) {
    group
      .command(shell)
      .description(`Prints a script for ${shell} that completes commands of ./messaging.`)
      .addHelpText('after', exampleWithoutService(`completion ${shell}`))
      .action(printing(async () => completionScript(shell, completionWords(await whole()))));
  }
}

import { CommanderError } from '@commander-js/extra-typings';
import type { Host } from './command-actions.ts';
import { runCommandLine } from './program.ts';
import { exitCodeOf } from './terminal/errors.ts';
import { print } from './terminal/render.ts';
import { confirms } from './terminal/terminal.ts';

const host: Host = {
  async onService(work, { json, ...options }) {
    // Loading these takes longer than everything else, and help, completion and SDPs need no service.
    const [{ openTarget }, { openService }] = await Promise.all([import('./open-target.ts'), import('./service.ts')]);
    const target = await openTarget(options);
    try {
      process.exitCode = print(await work(openService(target)), json);
    } finally {
      target.table.client.destroy();
    }
  },
  async program(work) {
    const code = await work();
    if (typeof code === 'number') process.exitCode = code;
  },
  printText: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  /** Asks on standard error, so that standard output has only the result. */
  async confirm(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    return confirms(`${question}\nContinue? [y/N] `);
  },
};

// A reader of the output, such as `head`, may end before it has all.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await runCommandLine(process.argv.slice(2), host);
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Commander has said what is wrong with the command line.
  if (!(error instanceof CommanderError)) {
    const { describeFailure } = await import('./terminal/describe-failure.ts');
    console.error(describeFailure(error));
  }
}

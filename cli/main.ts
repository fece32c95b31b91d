import type { Host } from './actions.ts';
import { runCommandLine } from './program.ts';
import { exitCodeOf } from './terminal/errors.ts';
import { type Result, renderJson, renderText } from './terminal/render.ts';
import { confirms } from './terminal/terminal.ts';

const host: Host = {
  async onService(work, { json, ...options }) {
    // Loading these takes longer than everything else, and help, completion and SDPs need no service.
    const [{ openTarget }, { openService }] = await Promise.all([import('./target.ts'), import('./service.ts')]);
    const target = await openTarget(options);
    try {
      print(await work(openService(target)), json);
    } finally {
      target.table.client.destroy();
    }
  },
  async withoutService(work, { json }) {
    print(await work(), json);
  },
  async program(work) {
    const code = await work();
    if (typeof code === 'number') process.exitCode = code;
  },
  printText: (text) => process.stdout.write(text),
  /** Asks on standard error, so that standard output has only the result. */
  async confirm(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    return confirms(`${question}\nContinue? [y/N] `);
  },
};

/** Findings make the exit code 1, so that scripts notice them. */
function print(result: Result, asJson = false): void {
  console.log(asJson ? renderJson(result) : renderText(result));
  if (result.hasFindings) process.exitCode = 1;
}

// What reads the output, such as `head`, may leave before it has all.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await runCommandLine(process.argv.slice(2), host);
} catch (error) {
  const { describeFailure } = await import('./terminal/failures.ts');
  console.error(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}

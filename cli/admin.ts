import { createInterface } from 'node:readline/promises';
import type { Host } from './actions.ts';
import { describeFailure, exitCodeOf } from './failures.ts';
import { runCommandLine } from './program.ts';
import { type Result, renderJson, renderText } from './render.ts';
import { openService } from './service.ts';
import { openTarget } from './target.ts';

const host: Host = {
  async onService(work, { json, ...options }) {
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
  printHelp: (text) => process.stdout.write(text),
  /** Asks on standard error, so that standard output has only the result. Ctrl-C and the end of the input mean no. */
  async confirm(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const end = new Promise<string>((resolve) => terminal.once('close', () => resolve('no')));
    const reply = await Promise.race([terminal.question(`${question}\nContinue? [y/N] `), end]);
    terminal.close();
    return /^\s*y(es)?\s*$/i.test(reply);
  },
};

/** Findings make the exit code 1, so that scripts notice them. */
function print(result: Result, asJson = false): void {
  console.log(asJson ? renderJson(result) : renderText(result));
  if (result.hasFindings) process.exitCode = 1;
}

try {
  await runCommandLine(process.argv.slice(2), host);
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}

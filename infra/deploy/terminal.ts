import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { root } from '../paths.ts';

/** What the commands do outside of this process; tests have one of their own. */
export interface Terminal {
  print(text: string): void;
  printError(text: string): void;
  /** Asks for a line, or returns undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Runs the CDK's command line and returns its exit code. */
  runCdk(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<number>;
}

export const terminal: Terminal = {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  async ask(question) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
  async runCdk(words, environment) {
    const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
    const child = spawn(process.execPath, [cdk, ...words], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    });
    // The terminal sends Ctrl-C to both, and the CDK's command line ends in its own time.
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const [code] = await once(child, 'close');
    process.off('SIGINT', ignore);
    return code ?? 1;
  },
};

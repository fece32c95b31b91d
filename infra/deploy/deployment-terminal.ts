import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { root } from '../paths.ts';

/** What the commands do outside of this process; tests have one of their own. */
export interface Terminal {
  print(text: string): void;
  printError(text: string): void;
  /** Asks for a line, which is empty after Ctrl-C or Ctrl-D, or returns undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Runs the CDK's command line and returns its exit code. */
  runCdk(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<number>;
}

export async function askLine(question: string, lines: Interface): Promise<string> {
  lines.setPrompt(question);
  lines.prompt();
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  return line;
}

export const terminal: Terminal = {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  async ask(question) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
    return askLine(question, createInterface({ input: process.stdin, output: process.stdout }));
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

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from '#infra/paths.ts';

interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the command line as a process of its own, with this environment and no other, apart from what Node needs. Its
 * sources may be in another folder.
 */
export function runProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { input = '', cwd = root, sources = root } = {},
): Promise<Outcome> {
  const { NODE_COMPILE_CACHE, PATH } = process.env;
  const env = { NODE_COMPILE_CACHE, PATH, ...environment };
  return new Promise((resolve) => {
    const program = [join(sources, 'messaging.js'), ...words];
    const child = execFile(process.execPath, program, { env, cwd }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

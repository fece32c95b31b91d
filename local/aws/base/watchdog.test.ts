import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { createFunction, processState } from '#support/aws/lambda-function.ts';
import { startWatchdog } from './watchdog.ts';

const moduleUrl = (file: string) => new URL(file, import.meta.url).href;

/** A parent that runs a function once, prints the pid of its process, and stays. */
async function startParent(script: (definition: string) => string): Promise<{ parent: ChildProcess; pid: number }> {
  const definition = await createFunction('export const handler = async () => process.pid;');
  const file = join(definition.assetFolder, 'parent.mjs');
  await writeFile(file, script(JSON.stringify(definition)));
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  return { parent, pid: Number(line) };
}

it.runIf(process.platform === 'linux')('a function that waits does not survive a parent that is killed', async () => {
  const { parent, pid } = await startParent(
    (definition) => `
      import { startLambda } from '${moduleUrl('../lambda/lambda-service.ts')}';
      const credentialsOf = (accessKeyId) => ({ accessKeyId, secretAccessKey: 'unused' });
      const options = { environment: {}, credentialsOf, onLog: () => {} };
      const lambda = await startLambda({ functions: [${definition}], ...options });
      const { payload } = await lambda.invoke('Function', '{}');
      console.log(payload);
      setInterval(() => {}, 1000);`,
  );
  expect(processState(pid)).toBeDefined();
  parent.kill('SIGKILL');
  await expect.poll(() => processState(pid)).toBeUndefined();
});

it.runIf(process.platform === 'linux')(
  'the watchdog kills the processes that it watches, but not those that it was told to forget',
  async () => {
    const sleepers = [0, 1].map(() => spawn('sleep', ['60']));
    onTestFinished(() => sleepers.forEach((sleeper) => void sleeper.kill('SIGKILL')));
    const [watched = 0, forgotten = 0] = sleepers.map(({ pid }) => pid ?? 0);
    const watchdog = await startWatchdog();
    watchdog.watch(watched);
    watchdog.watch(forgotten);
    watchdog.forget(forgotten);
    watchdog.close();
    await expect.poll(() => processState(watched)).toBeUndefined();
    expect(processState(forgotten)).toBeDefined();
  },
);

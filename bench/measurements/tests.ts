import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { elapsed, type Figure } from '../report.ts';

const root = join(import.meta.dirname, '../..');

/** Measures `npm test`, all that `.ci/run` does after `npm ci` and before the judges, and the judges. All must pass. */
export async function measureTests(): Promise<Figure[]> {
  const test = await minutesOf('test');
  const others = (await minutesOf('check')) + (await minutesOf('test:dynamodb-local'));
  const figure = (what: string, value: number, budget: number): Figure => ({ what, value, unit: 'min', budget });
  return [
    figure('`npm test`', test, 5),
    figure('`.ci/run` without `npm ci` and judges', test + others, 15),
    figure('`npm run judges`', await minutesOf('judges'), 20),
  ];
}

async function minutesOf(script: string): Promise<number> {
  const milliseconds = await elapsed(async () => {
    // The output shows what fails; the table on stdout stays free of it.
    const run = spawn('npm', ['run', script], { cwd: root, stdio: ['ignore', process.stderr, 'inherit'] });
    const [code] = await once(run, 'exit');
    if (code !== 0) throw new Error(`npm run ${script} fails`);
  });
  return milliseconds / 60_000;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Figure } from './report.ts';
import { elapsed } from './statistics.ts';

const root = join(import.meta.dirname, '..');

/** Measures `npm test`, which must pass. */
export async function measureTests(): Promise<Figure[]> {
  const milliseconds = await elapsed(async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const tests = spawn(process.execPath, [vitest, 'run'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(tests, 'exit');
    if (code !== 0) throw new Error('npm test fails');
  });
  return [{ what: '`npm test`', value: milliseconds / 60_000, unit: 'min', budget: 3 }];
}

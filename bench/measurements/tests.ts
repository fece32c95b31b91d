import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Figure } from '../report/report.ts';
import { elapsed } from '../report/statistics.ts';

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Measures `npm test`, which must pass. */
export const measureTests = () => measure('test', [], 3);

/** Measures the tests that touch a table, on Amazon's DynamoDB Local, which needs Java. They must pass. */
export const measureTestsOnDynamoDbLocal = () =>
  measure('run test:dynamodb-local', ['--config', 'test/dynamodb-local/vitest.config.ts'], 6);

async function measure(command: string, options: readonly string[], budget: number): Promise<Figure[]> {
  const milliseconds = await elapsed(async () => {
    const tests = spawn(process.execPath, [vitest, 'run', '--reporter', 'dot', ...options], {
      cwd: root,
      // Shows which tests fail, and keeps the table on stdout free of it.
      stdio: ['ignore', process.stderr, 'inherit'],
    });
    const [code] = await once(tests, 'exit');
    if (code !== 0) throw new Error(`npm ${command} fails`);
  });
  return [{ what: `\`npm ${command}\``, value: milliseconds / 60_000, unit: 'min', budget }];
}

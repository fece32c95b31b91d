import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '#infra/paths.ts';
import type { Judge } from './judge.ts';

/** The acceptance tests of `moto.vitest.config.ts`: queues, bucket and secrets are moto's, the table is Amazon's. */
export const moto: Judge = {
  name: 'moto',
  async judge({ command, version, temporary }) {
    const report = join(temporary, 'report.json');
    const words = ['run', '--config', 'judges/moto.vitest.config.ts', '--reporter=json', `--outputFile=${report}`];
    const env = { ...process.env, MOTO_SERVER: command('moto_server') };
    const options = { cwd: root, env, maxBuffer: 64 * 1024 ** 2, timeout: 1_200_000 };
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // It fails if a test fails, which the report says better.
    const { stderr } = await promisify(execFile)(process.execPath, [vitest, ...words], options).catch((error) => error);
    if (!existsSync(report)) throw new Error(`vitest wrote no report: ${stderr}`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const passed = all.filter(({ status }) => status === 'passed').length;
    const faults = [
      ...all.filter(({ status }) => status === 'failed').map((test) => `${test.fullName}: ${test.failureMessages[0]}`),
      ...testResults.filter(({ message }) => message !== '').map(({ name, message }) => `${name}: ${message}`),
      ...(passed === 0 ? [`No test passed. The tests need Java 17, too. ${stderr}`] : []),
    ];
    return [{ judge: 'moto', version: version('moto'), tried: `${passed} acceptance tests`, faults }];
  },
};

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

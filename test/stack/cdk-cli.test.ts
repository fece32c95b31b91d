import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '#infra/paths.ts';

/** What `git clone` and `npm ci` leave: the sources and the packages, nothing that is built. */
const clone = mkdtempSync(join(tmpdir(), 'messaging-clone-'));

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().trim().split('\n')) {
    cpSync(join(root, file), join(clone, file), { force: true, errorOnExist: false });
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true }));

// The person who runs the tests may have credentials, which must not be used here.
const env = { ...process.env, AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };

it('the cdk command builds and finds an app in a clean clone', async () => {
  const words = ['ls', '-c', 'stage=prod', '-c', 'alarmEmail=operator@example.com', '--no-notices'];
  const { stdout } = await promisify(execFile)('node_modules/.bin/cdk', words, { cwd: clone, env });
  expect(stdout).toBe('messaging-prod\n');
});

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { root } from '#infra/paths.ts';
import { runProgram } from '#support/run-program.ts';
import { chromiumPath } from '#test/browser/chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a live world without an address names the port that was chosen for it', async () => {
  const { stderr } = await runProgram(['start', '--live'], { PUBLIC_PORT: '0', HOME: tmpdir() });
  const [, port] = /ngrok http (\d+)/.exec(stderr) ?? [];
  expect(Number(port)).toBeGreaterThan(0);
  expect(stderr).toContain(`Then: PUBLIC_PORT=${port} PUBLIC_URL=`);
});

describe('what a machine lacks', () => {
  it('packages that are not installed are named in one sentence, without a stack', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clone-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const file of ['messaging.js', 'package.json']) await copyFile(join(root, file), join(folder, file));
    const { exitCode, stderr } = await runProgram(['start'], {}, { sources: folder });
    expect({ exitCode, lines: stderr.trim().split('\n').length }).toEqual({ exitCode: 1, lines: 1 });
    expect(stderr).toContain('npm ci');
  });

  it('a missing Chromium is named with the package that helps', async () => {
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('SIMULATE_MISSING', 'chromium');
    await expect(chromiumPath()).rejects.toThrow('install the package chromium');
  });
});

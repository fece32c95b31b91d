import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chromiumPath } from '#test/browser/chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function start(variables: Readonly<Record<string, string>>, ...words: string[]) {
  const env = { PATH: process.env.PATH, ...variables };
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'start.js'), ...words], { env }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
}

it('a live world without an address names the port that was chosen for it', async () => {
  const { stderr } = await start({ PUBLIC_PORT: '0', HOME: tmpdir() }, '--live');
  const [, port] = /ngrok http (\d+)/.exec(stderr) ?? [];
  expect(Number(port)).toBeGreaterThan(0);
  expect(stderr).toContain(`Then: PUBLIC_PORT=${port} PUBLIC_URL=`);
});

describe('what a machine lacks', () => {
  it('a Node that is too old is named in one sentence, without a stack', async () => {
    const { code, stderr } = await start({ SIMULATE_MISSING: 'node' });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain('needs Node 24');
  });

  it('a missing Chromium is named with the package that helps', async () => {
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('SIMULATE_MISSING', 'chromium');
    await expect(chromiumPath()).rejects.toThrow('install the package chromium');
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
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

describe('npm run capture', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'capture-'));
    writeFileSync(join(folder, 'earlier.jsonl'), 'an earlier recording');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['earlier.jsonl', 'exists, and a recording overwrites nothing'],
    ['no-such-folder/session.jsonl', 'is not a folder in which you may write'],
    ['earlier.jsonl/session.jsonl', 'is not a folder in which you may write'],
  ])('does not begin a recording that it could not keep: %s', async (name, expected) => {
    const variables = { LOCAL_DATA_DIR: join(folder, 'data'), PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0' };
    const { code, stderr } = await start(variables, 'capture', '--out', join(folder, name));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(expected) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readFileSync(join(folder, 'earlier.jsonl'), 'utf8')).toBe('an earlier recording');
  });
});

describe('what a machine lacks', () => {
  it('a Node that is too old is named in one sentence, without a stack', async () => {
    const { code, stderr } = await start({ SIMULATE_MISSING: 'node' });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain('The local world needs Node 24');
  });

  it('a missing Chromium is named with the package that helps', async () => {
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('SIMULATE_MISSING', 'chromium');
    await expect(chromiumPath()).rejects.toThrow('install the package chromium');
  });
});

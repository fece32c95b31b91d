import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimFolder, makeDataFolder } from './data-folder.ts';
import { OptionError } from './options.ts';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'kind-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'below/data');
  makeDataFolder(folder);
  return folder;
}

describe('the data folder', () => {
  it.each([
    ['live', 'simulated'],
    ['simulated', 'live'],
  ] as const)('of a %s world is for no %s one', async (kind, other) => {
    const folder = await newFolder();
    claimFolder(folder, kind);
    claimFolder(folder, kind);
    expect(() => claimFolder(folder, other)).toThrow(
      new OptionError(
        `The data in ${folder} belongs to a ${kind} world, and this is a ${other} one. Set LOCAL_DATA_DIR to another folder, or unset it.`,
      ),
    );
  });

  it('of an earlier version is that of a simulated world', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'data'));
    expect(() => claimFolder(folder, 'live')).toThrow('belongs to a simulated world');
    claimFolder(folder, 'simulated');
  });

  it.skipIf(process.platform === 'win32')('of a live world is closed to other users', async () => {
    const folder = await newFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    claimFolder(folder, 'live');
    await chmod(folder, 0o750);
    expect(() => claimFolder(folder, 'live')).toThrow(`chmod 700 ${folder}`);
  });
});

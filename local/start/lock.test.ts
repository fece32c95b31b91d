import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LockedError, lock } from './lock.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const holder = (folder: string) => `
  const { lock } = await import('${new URL('lock.ts', import.meta.url)}');
  await lock('${folder}');
  console.log(process.pid);
  setInterval(() => {}, 1_000);`;

const nodeArguments = (script: string) => ['--input-type=module', '--eval', script];

/** A process that holds the lock; its id, and what kills it. */
async function startHolder(folder: string) {
  const child = spawn(process.execPath, nodeArguments(holder(folder)), { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  return { pid: Number(line), child };
}

describe('the lock of a folder', () => {
  it('is rejected while another process holds it, in one line that names the folder', async () => {
    const folder = await newFolder();
    const { pid } = await startHolder(folder);
    const rejected = lock(folder);
    await expect(rejected).rejects.toThrow(LockedError);
    await expect(rejected).rejects.toThrow(
      `Another local world (process ${pid}) uses the data in ${folder}. Stop it, or set LOCAL_DATA_DIR to another folder.`,
    );
  });

  it('is the same whatever path leads to the folder', async () => {
    const folder = await newFolder();
    await symlink(folder, `${folder}-link`);
    onTestFinished(() => rm(`${folder}-link`));
    const unlock = await lock(folder);
    await expect(lock(`${folder}-link`)).rejects.toThrow(LockedError);
    unlock();
  });

  it('is free again after it is released', async () => {
    const folder = await newFolder();
    (await lock(folder))();
    (await lock(folder))();
  });

  it('does not affect other folders', async () => {
    const unlocks = [await lock(await newFolder()), await lock(await newFolder())];
    for (const unlock of unlocks) unlock();
  });

  it('is free although the file of an earlier run names a running process', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'lock'), String(process.ppid));
    const unlock = await lock(folder);
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
    unlock();
  });

  it.runIf(process.platform === 'linux')('is free once its holder is killed, even while that is a zombie', async () => {
    const folder = await newFolder();
    // The shell becomes a program that waits for no child, as the first process of many containers does.
    const command = `"$0" "$@" & exec sleep 600`;
    const parent = spawn('/bin/sh', ['-c', command, process.execPath, ...nodeArguments(holder(folder))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(createInterface(parent.stdout), 'line');
    const pid = Number(line);
    await expect(lock(folder)).rejects.toThrow(LockedError);

    process.kill(pid, 'SIGKILL');
    const state = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.[0];
    await expect.poll(state, { timeout: 300_000 }).toBe('Z');
    // Its last threads may still be on their way out.
    const unlock = await vi.waitFor(() => lock(folder), { timeout: 300_000 });
    expect(await state()).toBe('Z');
    unlock();
  });
});

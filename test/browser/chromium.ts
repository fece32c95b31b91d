import { existsSync } from 'node:fs';
import serverless from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
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
    return await serverless.executablePath();
  } catch (cause) {
    throw new Error('No Chromium: set CHROMIUM_PATH, or install the package chromium (or libnss3 and libnspr4)', {
      cause,
    });
  }
}

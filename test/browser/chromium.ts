import { existsSync } from 'node:fs';
import serverless from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const installed = '/usr/bin/chromium';

/** Keeps it off the network, but for what the tests open. */
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
  const executablePath = process.env.CHROMIUM_PATH ?? (existsSync(installed) ? installed : await packaged());
  return chromium.launch({ executablePath, headless: true, args: [...quiet, ...flags] });
}

async function packaged(): Promise<string> {
  try {
    return await serverless.executablePath();
  } catch (cause) {
    throw new Error('No Chromium: set CHROMIUM_PATH, or install the package chromium (or libnss3 and libnspr4)', {
      cause,
    });
  }
}

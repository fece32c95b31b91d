import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../base/http/free-port.ts';
import { isSimulatedMissing } from '../base/simulated-absence.ts';
import { didNotStart, type Engine, type Output, startEngineProcess } from './engine.ts';

/** The platforms that dynoxide has a package for. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

const packageOf = (platform: string) => `@dynoxide/${platform}`;

/** This machine's operating system and processor, as npm's packages name them. */
export const thisPlatform = `${process.platform}-${process.arch}`;

/** The release that `package.json` pins for the platforms of which the registry knows a hash. */
const version = '1.2.1';

/** The command that installs dynoxide where `npm ci` does not, if there is a package for the platform. */
export function installDynoxide(platform: string): string | undefined {
  return platforms.includes(platform) ? `npm install --no-save ${packageOf(platform)}@${version}` : undefined;
}

/** The program that npm installed for this platform. */
export function findDynoxide(): string | undefined {
  if (isSimulatedMissing('dynoxide')) return;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${packageOf(thisPlatform)}/package.json`));
    return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return;
  }
}

export interface DynoxideOptions {
  program: string;
  accessKeyId: string;
  /** Where it keeps its data. In memory without one. */
  file?: string;
}

const startAttempts = 5;

/**
 * Starts dynoxide, a DynamoDB engine that needs neither Java nor Docker. It takes any signature and answers the pages of
 * every origin, so it hides from browsers: on Linux at an address that no page can guess.
 */
export async function startDynoxide({ program, accessKeyId, file }: DynoxideOptions): Promise<Engine> {
  const storage = file === undefined ? [] : ['--db-path', file];
  const commandOn = (host: string, port: number) => ({
    program,
    arguments: ['serve', '--host', host, '--port', String(port), ...storage],
  });
  // Another process may take the free port before the engine does.
  for (let attempt = 1; attempt <= startAttempts; attempt++) {
    const [host, port] = [hiddenHost(), await freePort()];
    const engine = await startEngineProcess({ ...commandOn(host, port), isReady });
    if (engine) return { url: `http://${host}:${port}`, accessKeyId, close: engine.close };
  }
  throw didNotStart('dynoxide', commandOn('127.0.0.1', await freePort()));
}

/** On Linux all of 127.0.0.0/8 leads to this machine. Other systems know 127.0.0.1 only. */
function hiddenHost(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(2, 255)}`;
}

/** The engine announces itself on stderr. */
async function isReady([, stderr]: Output): Promise<boolean> {
  if (!stderr) return false;
  for await (const line of createInterface(stderr)) if (line.includes('listening on')) return true;
  return false;
}

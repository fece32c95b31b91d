import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** The folder for what is kept from run to run. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'messaging-service/judges');

/** Returns what a command prints, or nothing if it is missing or fails. */
export function prints(command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

/**
 * Installs the pinned packages, whose hashes pip compares, into a virtual environment in the cache.
 *
 * @param python what `python3 --version` prints
 * @returns the folder with the environment's commands
 */
export function virtualEnvironment(python: string): string {
  const content = createHash('sha256').update(python).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(cache, `python-${content}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    console.log('Installing the judges, which takes a few minutes');
    rmSync(folder, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const install = 'install --quiet --disable-pip-version-check --require-hashes --no-deps -r'.split(' ');
    execFileSync(join(folder, 'bin/pip'), [...install, requirements], { stdio: 'inherit' });
    writeFileSync(complete, '');
  }
  return join(folder, 'bin');
}

/** Returns the pinned version of a package. */
export function pinnedVersion(name: string): string {
  const [, version] = new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(requirements, 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${name} is not in ${requirements}`);
  return version;
}

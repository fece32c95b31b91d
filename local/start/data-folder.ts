import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError } from './options.ts';

/**
 * Creates the data folder unless it exists. Others may not look into a new one.
 *
 * @throws OptionError if it cannot be created, is not a folder or is not writable.
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = Reflect.get(Object(error), 'code');
    throw new OptionError(
      `The data folder ${folder} cannot be used (${reason}). Set LOCAL_DATA_DIR to a folder that you can write to.`,
    );
  }
}

type Kind = 'live' | 'simulated';

/**
 * Makes the data folder one for a live or for a simulated world, and keeps the two apart: a simulated world has known
 * tokens, which a live one must never accept, and would replace the credentials of a live one.
 *
 * @throws OptionError if the folder belongs to the other kind, or others may look into that of a live world
 */
export function claimFolder(folder: string, kind: Kind): void {
  const file = join(folder, 'kind');
  const found = kindOf(folder, file);
  if (found !== undefined && found !== kind) {
    throw new OptionError(
      `The data in ${folder} belongs to a ${found} world, and this is a ${kind} one. Set LOCAL_DATA_DIR to another folder, or unset it.`,
    );
  }
  if (kind === 'live' && isOpenToOthers(folder)) {
    throw new OptionError(`Other users may look into ${folder}, which will have credentials: chmod 700 ${folder}`);
  }
  if (found === undefined) writeFileSync(file, `${kind}\n`);
}

function kindOf(folder: string, file: string): Kind | undefined {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim() === 'live' ? 'live' : 'simulated';
  // Earlier versions knew no other kind, and wrote no file.
  return existsSync(join(folder, 'data')) ? 'simulated' : undefined;
}

/** Windows has no such bits, and gives the folders of a user to this user only. */
const isOpenToOthers = (folder: string) => process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;

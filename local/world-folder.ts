import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { quoted } from '#shared/base/text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a world on this machine keeps its data, and the file that describes it while it runs. */
export function worldFolder({ live }: { live: boolean }, environment: Environment = process.env): string {
  return environment.LOCAL_DATA_DIR || (live ? liveFolder(environment) : join(import.meta.dirname, '../.local'));
}

/**
 * Where the live world keeps its data, unless LOCAL_DATA_DIR names another folder: outside the repository, because it has
 * credentials of the real platform, at the place that the system has for the data of programs.
 */
export function liveFolder(environment: Environment, platform: string = process.platform, home = homedir()): string {
  return join(dataHome(environment, platform, home), 'messaging-service', 'live');
}

function dataHome({ XDG_DATA_HOME, LOCALAPPDATA }: Environment, platform: string, home: string): string {
  if (platform === 'win32') return LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  // A relative path is invalid and to be ignored (XDG Base Directory Specification).
  return XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home, '.local', 'share');
}

/**
 * What stands in front of a command for a world on this machine, so that the command finds it from every terminal:
 * `LOCAL_DATA_DIR=… `, or nothing if the world is in its default folder.
 */
export const worldPrefix = ({ LOCAL_DATA_DIR: folder }: Environment): string =>
  folder ? `LOCAL_DATA_DIR=${quoted(resolve(folder))} ` : '';

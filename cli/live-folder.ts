import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

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

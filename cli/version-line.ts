import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

/** One line with the version of the project, its commit if there is a repository, and the version of Node. */
export async function versionLine(folder = root): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const commit = await commitOf(folder);
  return `${name} ${version}${commit === undefined ? '' : ` (commit ${commit})`}, Node ${process.version}`;
}

async function commitOf(folder: string): Promise<string | undefined> {
  try {
    const command = ['-C', folder, 'rev-parse', '--show-prefix', '--short=12', 'HEAD'];
    const { stdout } = await promisify(execFile)('git', command);
    const [prefix, commit] = stdout.split('\n');
    // The folder may lie in the repository of something else.
    return prefix === '' ? commit : undefined;
  } catch {
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeVersion } from '#infra/code-version.ts';

const fileOf = (folder: string) => join(folder, 'stamp');

/** A hash of everything that the build depends on, as it is now: the code, the build itself, its folder, and Node. */
export async function stampSources(folder: string): Promise<string> {
  const build = await readFile(join(import.meta.dirname, 'build.ts'));
  return createHash('sha256').update(`${process.version} ${folder} ${codeVersion()}`).update(build).digest('hex');
}

/** Whether the folder was built from the sources as they are now. */
export async function isUpToDate(folder: string): Promise<boolean> {
  const built = await readFile(fileOf(folder), 'utf8').catch(() => undefined);
  return built !== undefined && built === (await stampSources(folder));
}

export const writeStamp = (folder: string, stamp: string): Promise<void> => writeFile(fileOf(folder), stamp);

/** Call this before a build, so that an interrupted build leaves no stamp. */
export const removeStamp = (folder: string): Promise<void> => rm(fileOf(folder), { force: true });

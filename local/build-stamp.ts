import { createHash } from 'node:crypto';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Everything that the build depends on: the code, the build itself, and the exact versions of the packages. */
const sources = ['{functions,shared,infra,web}/**/*', 'local/build.ts', 'package-lock.json', 'cdk.json'];

const fileOf = (folder: string) => join(folder, 'stamp');

/** A hash of the sources as they are now. */
export async function stampSources(): Promise<string> {
  const paths: string[] = [];
  for await (const entry of glob(sources, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !entry.name.endsWith('.test.ts')) paths.push(join(entry.parentPath, entry.name));
  }
  const files = await Promise.all(paths.sort().map(async (path) => ({ path, content: await readFile(path) })));
  const hash = createHash('sha256').update(process.version);
  for (const { path, content } of files) hash.update(`\0${path}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}

/** Whether the folder was built from the sources as they are now. */
export async function isUpToDate(folder: string): Promise<boolean> {
  const built = await readFile(fileOf(folder), 'utf8').catch(() => undefined);
  return built !== undefined && built === (await stampSources());
}

export const writeStamp = (folder: string, stamp: string): Promise<void> => writeFile(fileOf(folder), stamp);

/** Call this before a build, so that an interrupted build leaves no stamp. */
export const removeStamp = (folder: string): Promise<void> => rm(fileOf(folder), { force: true });

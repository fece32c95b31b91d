import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The built functions, each in a folder of its own, with the metafile of their bundles. */
export const functionsDirectory = join(root, 'dist');

/** The synthesised templates and their assets. */
export const assemblyDirectory = join(root, 'cdk.out');

/** The folder with the source of a function: `functions/<subject>/<name>`. */
export function sourceFolder(name: string): string {
  const [folder] = globSync(`functions/*/${name}`, { cwd: root });
  if (folder === undefined) throw new Error(`No folder functions/<subject>/${name} exists`);
  return join(root, folder);
}

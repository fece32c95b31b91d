import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The built functions, each in a folder of its own, with the metafile of their bundles. */
export const functionsDirectory = join(root, 'dist');

/** The synthesised templates and their assets. */
export const assemblyDirectory = join(root, 'cdk.out');

/** The file with the handler of a function: `functions/<subject>/<name>.ts`. */
export function sourceFile(name: string): string {
  const [file] = globSync(`functions/*/${name}.ts`, { cwd: root });
  if (file === undefined) throw new Error(`No file functions/<subject>/${name}.ts exists`);
  return join(root, file);
}

import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The built functions, each in a folder of its own, with the metafile of their bundles. */
export const functionsDirectory = join(root, 'dist');

/** The synthesised templates and their assets. */
export const assemblyDirectory = join(root, 'cdk.out');

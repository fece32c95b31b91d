/**
 * `npm start`: loads the local world. This is JavaScript, so that an older Node can say what is missing. Node keeps
 * compiled modules from run to run, which halves the time for loading.
 */
import '../../infra/require-node.js';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(fileURLToPath(new URL('.', import.meta.url)), '../../node_modules/.cache/compiled');
nodeModule.enableCompileCache(folder);
// For the build, which is a process of its own.
process.env.NODE_COMPILE_CACHE ??= folder;

const { main } = await import('./run.ts');
main();

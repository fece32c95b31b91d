/** `npm start`: loads the local world. Node keeps compiled modules from run to run, which halves the time for that. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../node_modules/.cache/compiled');
enableCompileCache(folder);
// For the build, which is a process of its own.
process.env.NODE_COMPILE_CACHE ??= folder;

const { main } = await import('./run.ts');
main();

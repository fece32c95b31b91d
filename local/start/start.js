/**
 * `npm start`: loads the local world. This is JavaScript, so that an older Node can say what is missing. Node keeps
 * compiled modules from run to run, which halves the time for loading.
 */
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (process.env.SIMULATE_MISSING ?? '').split(',').includes('node')) {
  console.error(
    `The local world needs Node 24, and this is ${process.versions.node}. On Linux and Windows, npm ci installs it for ` +
      'the scripts of npm: start it with "npm start". On other systems, install Node 24 from https://nodejs.org.',
  );
  process.exit(1);
}

const folder = join(fileURLToPath(new URL('.', import.meta.url)), '../../node_modules/.cache/compiled');
nodeModule.enableCompileCache(folder);
// For the build, which is a process of its own.
process.env.NODE_COMPILE_CACHE ??= folder;

const { main } = await import('./run.ts');
main();

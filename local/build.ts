/**
 * `node local/build.ts FOLDER`: builds the functions and synthesises the stack into the folder, apart from `dist` and
 * `cdk.out`, so that no other build changes what a running world serves. A process of its own, because the world needs
 * neither the bundler nor the CDK once that is done.
 */
import { join } from 'node:path';
import { buildFunctions } from '../infra/build.ts';
import { removeStamp, stampSources, writeStamp } from './build-stamp.ts';

const [folder = ''] = process.argv.slice(2);
const functionsDirectory = join(folder, 'functions');

// What changes from here on is for the next build.
const stamp = await stampSources();
await removeStamp(folder);

// Loading the CDK takes as long as bundling, so the one does not wait for the other.
const built = buildFunctions(functionsDirectory);
const { createApp } = await import('../infra/app.ts');
await built;
createApp({ functionsDirectory, outdir: join(folder, 'assembly') }).synth();
await writeStamp(folder, stamp);

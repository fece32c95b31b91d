import { join } from 'node:path';
import { buildFunctions, buildPage } from '#infra/build.ts';
import { removeStamp, stampSources, writeStamp } from './build-stamp.ts';

/** Where a build puts the functions, the cloud assembly of the stage dev, and the console's page. */
export const builtFolders = (folder: string) => ({
  functionsDirectory: join(folder, 'functions'),
  assemblyDirectory: join(folder, 'assembly'),
  consoleDirectory: join(folder, 'console'),
});

/**
 * Builds the functions and synthesises the stack into the folder, apart from `dist` and `cdk.out`, so that no other
 * build changes what a running world serves.
 */
export async function buildInto(folder: string): Promise<void> {
  // Later changes are for the next build.
  const stamp = await stampSources(folder);
  await removeStamp(folder);
  const { functionsDirectory, assemblyDirectory, consoleDirectory } = builtFolders(folder);
  // Bundler and CDK take about as long, so both run at the same time. Without staging, the CDK names the folders of the
  // functions and does not copy them, so they need not be complete.
  const built = Promise.all([
    buildFunctions(functionsDirectory),
    buildPage('console', join(consoleDirectory, 'console')),
    buildPage('sheet', join(consoleDirectory, 'sheet')),
  ]);
  const { createApp } = await import('#infra/app.ts');
  const context = { 'aws:cdk:disable-asset-staging': true };
  createApp({ context, functionsDirectory, outdir: assemblyDirectory }).synth();
  await built;
  await writeStamp(folder, stamp);
}

// The build runs in a process of its own (`node local/start/build.ts FOLDER`): bundler and CDK leave the world's memory.
if (import.meta.main) await buildInto(process.argv[2] ?? '');

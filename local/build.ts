import { join } from 'node:path';
import { buildFunctions } from '#infra/build.ts';
import { removeStamp, stampSources, writeStamp } from './build-stamp.ts';

/** Below a folder that was built: the functions, and the cloud assembly of the stage dev. */
export const builtFolders = (folder: string) => ({
  functionsDirectory: join(folder, 'functions'),
  assemblyDirectory: join(folder, 'assembly'),
});

/**
 * Builds the functions and synthesises the stack into the folder, apart from `dist` and `cdk.out`, so that no other
 * build changes what a running world serves.
 */
export async function buildInto(folder: string): Promise<void> {
  // What changes from here on is for the next build.
  const stamp = await stampSources();
  await removeStamp(folder);
  const { functionsDirectory, assemblyDirectory } = builtFolders(folder);
  // Loading the CDK takes as long as bundling, so the one does not wait for the other.
  const built = buildFunctions(functionsDirectory);
  const { createApp } = await import('#infra/app.ts');
  await built;
  createApp({ functionsDirectory, outdir: assemblyDirectory }).synth();
  await writeStamp(folder, stamp);
}

// A process of its own, `node local/build.ts FOLDER`, because the world needs neither bundler nor CDK once that is done.
if (import.meta.main) await buildInto(process.argv[2] ?? '');

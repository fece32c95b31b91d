import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createApp } from '#infra/app.ts';
import { buildInto, builtFolders } from '#local/start/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What `npm start` builds before it serves. */
    buildDirectory: string;
    /** The built functions, as `npm run build` leaves them in `dist`. */
    functionsDirectory: string;
    /** The cloud assembly of the stage dev, whose template names the folders of the built functions. */
    assemblyDirectory: string;
    /** The cloud assembly of the stage prod, with an address for alarms. */
    prodAssemblyDirectory: string;
  }
}

/** Builds the functions and synthesises the stages, once for all tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-'));
  const buildDirectory = join(folder, 'build');
  await buildInto(buildDirectory);
  const { functionsDirectory, assemblyDirectory } = builtFolders(buildDirectory);
  const prodAssemblyDirectory = join(folder, 'cdk.out.prod');
  const context = { stage: 'prod', alarmEmail: 'operator@example.com' };
  createApp({ context, functionsDirectory, outdir: prodAssemblyDirectory }).synth();
  provide('buildDirectory', buildDirectory);
  provide('functionsDirectory', functionsDirectory);
  provide('assemblyDirectory', assemblyDirectory);
  provide('prodAssemblyDirectory', prodAssemblyDirectory);
  return () => rm(folder, { recursive: true, force: true });
}

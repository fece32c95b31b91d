import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createApp } from '../../infra/app.ts';
import { buildFunctions } from '../../infra/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built functions, as `npm run build` leaves them in `dist`. */
    functionsDirectory: string;
    /** The cloud assembly of the stage dev, as `npm run synth` leaves it in `cdk.out`. */
    assemblyDirectory: string;
    /** That of the stage prod, with an address for alarms. */
    prodAssemblyDirectory: string;
  }
}

/** Builds the functions and synthesises the stages, once for all tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-'));
  const functionsDirectory = join(folder, 'dist');
  const assemblyDirectory = join(folder, 'cdk.out');
  await buildFunctions(functionsDirectory);
  createApp({ functionsDirectory, outdir: assemblyDirectory }).synth();
  const prodAssemblyDirectory = join(folder, 'cdk.out.prod');
  const context = { stage: 'prod', alarmEmail: 'operator@example.com' };
  createApp({ context, functionsDirectory, outdir: prodAssemblyDirectory }).synth();
  provide('functionsDirectory', functionsDirectory);
  provide('assemblyDirectory', assemblyDirectory);
  provide('prodAssemblyDirectory', prodAssemblyDirectory);
  return () => rm(folder, { recursive: true, force: true });
}

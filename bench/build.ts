import { join } from 'node:path';
import { createApp } from '#infra/app.ts';
import { buildFunctions } from '#infra/build.ts';

/** The built functions and the synthesised stage dev. */
export interface Build {
  /** The folder with the built functions, each in a folder of its own, and with the metafile of their bundles. */
  functionsDirectory: string;
  templateFile: string;
}

export async function buildInto(folder: string): Promise<Build> {
  const functionsDirectory = join(folder, 'functions');
  const outdir = join(folder, 'assembly');
  await buildFunctions(functionsDirectory);
  createApp({ functionsDirectory, outdir }).synth();
  return { functionsDirectory, templateFile: join(outdir, 'messaging-dev.template.json') };
}

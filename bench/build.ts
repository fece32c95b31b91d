import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FunctionDefinition, readFunctions } from '#local/aws/template/functions.ts';
import { createResolver } from '#local/aws/template/resolve.ts';
import { readTemplate } from '#local/aws/template/template.ts';
import { builtFolders } from '#local/start/build.ts';

/** The built functions and the synthesised stage dev. */
export interface Build {
  /** The folder with the built functions, each in a folder of its own, and with the metafile of their bundles. */
  functionsDirectory: string;
  templateFile: string;
}

const script = join(import.meta.dirname, '../local/start/build.ts');

/**
 * Builds in a process of its own. A heap with the CDK in it would make each collection of garbage take longer, also for
 * the worlds that run in this process.
 */
export async function buildInto(folder: string): Promise<Build> {
  await promisify(execFile)(process.execPath, [script, folder]);
  const { functionsDirectory, assemblyDirectory } = builtFolders(folder);
  return { functionsDirectory, templateFile: join(assemblyDirectory, 'messaging-dev.template.json') };
}

/**
 * Reads the functions of the synthesised stack. Their environment suffices to load them but points to no real service.
 */
export function readDefinitions({ templateFile }: Build): FunctionDefinition[] {
  const template = readTemplate(templateFile);
  const resolve = createResolver(template, { resource: (logicalId) => `https://${logicalId}.example.com` });
  return readFunctions(template, resolve);
}

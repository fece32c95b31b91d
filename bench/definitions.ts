import { type FunctionDefinition, readFunctions } from '#local/aws/template/functions.ts';
import { createResolver } from '#local/aws/template/resolve.ts';
import { readTemplate } from '#local/aws/template/template.ts';
import type { Build } from './build.ts';

/** The functions of the synthesised stack, with an environment that is good for loading them and leads nowhere. */
export function readDefinitions({ templateFile }: Build): FunctionDefinition[] {
  const template = readTemplate(templateFile);
  const resolve = createResolver(template, { resource: (logicalId) => `https://${logicalId}.example.com` });
  return readFunctions(template, resolve);
}

import { type FunctionDefinition, readFunctions } from '#local/aws/template/functions.ts';
import { createResolver } from '#local/aws/template/resolve.ts';
import { readTemplate } from '#local/aws/template/template.ts';
import type { Build } from '../build.ts';

/**
 * Reads the functions of the synthesised stack. Their environment suffices to load them but points to no real service.
 */
export function readDefinitions({ templateFile }: Build): FunctionDefinition[] {
  const template = readTemplate(templateFile);
  const resolve = createResolver(template, { resource: (logicalId) => `https://${logicalId}.example.com` });
  return readFunctions(template, resolve);
}

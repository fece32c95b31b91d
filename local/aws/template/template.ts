import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { reasonNotServed } from './served-types.ts';

const resourceSchema = z.object({
  Type: z.string(),
  Condition: z.optional(z.string()),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  Metadata: z._default(z.record(z.string(), z.unknown()), {}),
});

const templateSchema = z.object({
  Parameters: z._default(z.record(z.string(), z.object({ Type: z.string(), Default: z.optional(z.unknown()) })), {}),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
});

export type TemplateResource = z.output<typeof resourceSchema>;

export interface Template {
  /** The absolute folder of the template's file: asset paths are relative to it. */
  readonly folder: string;
  readonly parameters: ReadonlyMap<string, { readonly Type: string; readonly Default?: unknown }>;
  readonly resources: ReadonlyMap<string, TemplateResource>;
  readonly outputs: ReadonlyMap<string, { readonly Value?: unknown }>;
}

/** The local world cannot serve the template. The message names the logical id. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/**
 * Reads a synthesised CloudFormation template (JSON).
 *
 * @throws {TemplateError} if the file is not a template, or if it holds a resource that the local world cannot serve.
 */
export function readTemplate(file: string): Template {
  const parsed = templateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) {
    throw new TemplateError(`${file} is not a CloudFormation template: ${z.prettifyError(parsed.error)}`);
  }
  const template = {
    folder: dirname(resolve(file)),
    parameters: new Map(Object.entries(parsed.data.Parameters)),
    resources: new Map(Object.entries(parsed.data.Resources)),
    outputs: new Map(Object.entries(parsed.data.Outputs)),
  };
  for (const [logicalId, resource] of template.resources) {
    const reason = reasonNotServed(resource);
    if (reason) throw new TemplateError(`${logicalId} (${resource.Type}): ${reason}`);
  }
  return template;
}

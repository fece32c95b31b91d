import { existsSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources, referenceTo } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

export interface FunctionDefinition {
  readonly logicalId: string;
  /** The template's `FunctionName`, or the construct's id. Everything that invokes the function uses this name. */
  readonly name: string;
  /** The absolute folder of the code, which is the asset that a deployment uploads. */
  readonly assetFolder: string;
  /** `file.export` within the asset folder. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The logical id of its role. */
  readonly role: string;
  readonly reservedConcurrency?: number;
}

const propertiesSchema = z.object({
  Handler: z.string(),
  Runtime: z.string().check(z.startsWith('nodejs')),
  Timeout: z._default(z.int(), 3),
  MemorySize: z._default(z.int(), 128),
  ReservedConcurrentExecutions: z.optional(z.int()),
  Environment: z._default(z.object({ Variables: z.record(z.string(), z.string()) }), { Variables: {} }),
});

function assetFolder(template: Template, metadata: Record<string, unknown>): string {
  const path = metadata['aws:asset:path'];
  if (typeof path !== 'string') {
    throw new TemplateError('has no aws:asset:path metadata: its code is not on this machine');
  }
  const folder = resolvePath(template.folder, path);
  if (!existsSync(folder)) throw new TemplateError(`its code is missing: ${folder}`);
  return folder;
}

export function readFunctions(template: Template, resolve: Resolve): FunctionDefinition[] {
  return mapResources(
    template,
    resolve,
    'AWS::Lambda::Function',
    propertiesSchema,
    ({ logicalId, resource, properties }): FunctionDefinition => ({
      logicalId,
      name: physicalName(template, logicalId),
      assetFolder: assetFolder(template, resource.Metadata),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      environment: properties.Environment.Variables,
      role: referenceTo(template, 'AWS::IAM::Role', resource.Properties.Role),
      ...(properties.ReservedConcurrentExecutions !== undefined && {
        reservedConcurrency: properties.ReservedConcurrentExecutions,
      }),
    }),
  );
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import { referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
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

/** What Lambda sets itself. It rejects a function that sets them. */
const reservedVariables: ReadonlySet<string> = new Set([
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_RUNTIME_API',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LAMBDA_RUNTIME_DIR',
  'LAMBDA_TASK_ROOT',
  'TZ',
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
]);

const maxEnvironmentBytes = 4096;
const bytesOf = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);

const variablesSchema = z.record(z.string(), z.string()).check(
  z.refine(
    (variables) => !Object.keys(variables).some((name) => reservedVariables.has(name)),
    'Lambda reserves a name',
  ),
  z.refine((variables) => Object.keys(variables).every((name) => /^[a-z]\w+$/i.test(name)), 'a name is invalid'),
  z.refine((variables) => bytesOf(variables) <= maxEnvironmentBytes, `more than ${maxEnvironmentBytes} bytes`),
);

const propertiesSchema = z.object({
  Handler: z.string().check(z.regex(/^\S{1,128}$/)),
  Runtime: z.string().check(z.startsWith('nodejs')),
  Timeout: z._default(z.int().check(z.gte(1), z.lte(900)), 3),
  MemorySize: z._default(z.int().check(z.gte(128), z.lte(10_240)), 128),
  ReservedConcurrentExecutions: z.optional(z.int().check(z.gte(0))),
  Environment: z._default(z.object({ Variables: z._default(variablesSchema, {}) }), { Variables: {} }),
});

function assetFolder(template: Template, metadata: Record<string, unknown>): string {
  const path = metadata['aws:asset:path'];
  if (typeof path !== 'string') {
    throw new TemplateError('has no aws:asset:path metadata: its code is not on this machine');
  }
  const folder = join(template.folder, path);
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

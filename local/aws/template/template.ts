import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';

const resourceSchema = z.object({
  Type: z.string(),
  Condition: z.optional(z.string()),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  Metadata: z._default(z.record(z.string(), z.unknown()), {}),
});

const templateSchema = z.object({
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
});

export type TemplateResource = z.output<typeof resourceSchema>;

export interface Template {
  /** The absolute folder of the template's file: asset paths are relative to it. */
  readonly folder: string;
  readonly resources: ReadonlyMap<string, TemplateResource>;
  readonly outputs: ReadonlyMap<string, { readonly Value?: unknown }>;
}

/** The local world cannot serve the template. The message names the logical id. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** The types that the modules of this folder read. */
const served: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::Secret',
]);

/** Types without effect on one machine: permissions to call, logs, alarms, keys, and what only a deployment needs. */
const ignored =
  /^(AWS::(CDK|CloudWatch|KMS|Logs|SNS)::.*|AWS::Lambda::(EventInvokeConfig|Permission)|AWS::(S3::Bucket|SQS::Queue)Policy|Custom::.*)$/;

/** Why the local world cannot serve a resource; `undefined` if it can, or if there is nothing to serve. */
function reasonNotServed({ Type, Condition }: TemplateResource): string | undefined {
  if (ignored.test(Type)) return undefined;
  if (!served.has(Type)) return 'the local world cannot serve this type of resource';
  return Condition && 'the local world serves no conditional resources';
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
    resources: new Map(Object.entries(parsed.data.Resources)),
    outputs: new Map(Object.entries(parsed.data.Outputs)),
  };
  for (const [logicalId, resource] of template.resources) {
    const reason = reasonNotServed(resource);
    if (reason) throw new TemplateError(`${logicalId} (${resource.Type}): ${reason}`);
  }
  return template;
}

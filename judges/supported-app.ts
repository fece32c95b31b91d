/**
 * The CDK's app with what moto's CloudFormation knows, for `CDK_APP`. What it does not know is left out of the template,
 * and references to that become texts; the table is a table without replicas. `MOTO_TYPES` lists the known types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '#infra/app.ts';
import { functionsDirectory } from '#infra/paths.ts';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

interface Template {
  Resources: Record<string, Resource>;
}

/** The template without the resources of other types. */
function withTypes({ Resources, ...others }: Template, types: ReadonlySet<string>): Template {
  const tables = Object.entries(Resources).map(([id, resource]): [string, Resource] => [id, asTable(resource)]);
  const known = Object.fromEntries(tables.filter(([, { Type }]) => types.has(Type)));
  const isGone = (id: string) => Object.hasOwn(Resources, id) && !Object.hasOwn(known, id);
  const text = JSON.stringify({ ...others, Resources: known }, (name, value) => {
    if (name === 'DependsOn') {
      const left = [value].flat().filter((id) => !isGone(id));
      return left.length > 0 ? left : undefined;
    }
    if (isGone(value?.Ref)) return value.Ref;
    const [id, attribute] = value?.['Fn::GetAtt'] ?? [];
    return isGone(id) ? `arn:aws:unknown:us-east-1:000000000000:${id}-${attribute}` : value;
  });
  return JSON.parse(text) as Template;
}

/** moto knows tables of one region only. */
function asTable(resource: Resource): Resource {
  if (resource.Type !== 'AWS::DynamoDB::GlobalTable') return resource;
  const { Replicas, ...properties } = resource.Properties;
  const [{ Region: _, GlobalSecondaryIndexes: __, ...ofReplica } = {}] = Replicas as Record<string, unknown>[];
  return { ...resource, Type: 'AWS::DynamoDB::Table', Properties: { ...properties, ...ofReplica } };
}

const { CDK_OUTDIR: outdir = '', MOTO_TYPES = '' } = process.env;
const { stacks } = createApp({ functionsDirectory, outdir }).synth();
for (const { templateFile } of stacks) {
  const file = join(outdir, templateFile);
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  writeFileSync(file, JSON.stringify(withTypes(template, new Set(MOTO_TYPES.split(',')))));
}

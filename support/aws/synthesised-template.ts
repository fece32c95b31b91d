import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export interface Resource<Properties = Record<string, unknown>> {
  logicalId: string;
  Type: string;
  Properties: Properties;
  Metadata: Record<string, unknown>;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

export interface Template {
  Resources: Record<string, Omit<Resource, 'logicalId'>>;
  Outputs: Record<string, { Value: unknown }>;
}

export interface FunctionProperties {
  RecursiveLoop?: string;
  Architectures: string[];
  Environment: { Variables: Record<string, unknown> };
  Handler: string;
  LoggingConfig: { LogGroup: unknown };
  ReservedConcurrentExecutions?: number;
  Role: unknown;
  Runtime: string;
  Timeout: number;
  TracingConfig?: { Mode: string };
}

/** The template of the stage dev, which is synthesised once for all tests. */
export function devTemplate(): Template {
  return JSON.parse(readFileSync(join(inject('assemblyDirectory'), 'messaging-dev.template.json'), 'utf8'));
}

/** The template of the stage prod, with an address for alarms. */
export function prodTemplate(): Template {
  return JSON.parse(readFileSync(join(inject('prodAssemblyDirectory'), 'messaging-prod.template.json'), 'utf8'));
}

export function resourcesOfType<Properties = Record<string, unknown>>(
  template: Template,
  type: string,
): Resource<Properties>[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, resource]) => ({ ...resource, logicalId, Properties: resource.Properties as Properties }));
}

/** A function by its name in the table. */
export function functionNamed(template: Template, name: string): Resource<FunctionProperties> {
  const found = lambdaFunctions(template).find((resource) => functionId(resource) === pascalCase(name));
  if (!found) throw new Error(`The template has no function ${name}`);
  return found;
}

export function lambdaFunctions(template: Template): Resource<FunctionProperties>[] {
  return resourcesOfType<FunctionProperties>(template, 'AWS::Lambda::Function');
}

/** `ListFlows` of `messaging-dev/ListFlows/Resource`. */
export function functionId({ Metadata }: Pick<Resource, 'Metadata'>): string | undefined {
  return String(Metadata['aws:cdk:path']).split('/')[1];
}

export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A value with its intrinsic functions written short: `<Table.Arn>/index/gsi1`. */
export function render(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[intrinsic, argument] = []] = Object.entries(value);
  if (intrinsic === 'Ref') return `<${argument}>`;
  if (intrinsic === 'Fn::GetAtt') return `<${argument.join('.')}>`;
  if (intrinsic === 'Fn::Join') return argument[1].map(render).join(argument[0]);
  if (intrinsic === 'Fn::Select') return `${render(argument[1])}[${argument[0]}]`;
  if (intrinsic === 'Fn::Split') return `${render(argument[1])} by ${argument[0]}`;
  throw new Error(`Not an intrinsic function that this stack uses: ${JSON.stringify(value)}`);
}

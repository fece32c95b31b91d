import { accountId, defaultRegion } from '../base/account.ts';
import { isRecord } from '../base/json.ts';
import { physicalId } from './physical-ids.ts';
import { type Template, TemplateError } from './template.ts';

/**
 * Supplies what is known only while a resource runs, such as a URL: the `Ref` of a logical id, or one of its
 * attributes. With `undefined`, the name or the ARN that follows from the template applies.
 */
export type ResourceResolver = (logicalId: string, attribute?: string) => string | undefined;

/** Replaces every intrinsic function in a value. Throws a {@link TemplateError} for what cannot be resolved. */
export type Resolve = (value: unknown) => unknown;

export interface ResolverOptions {
  readonly resource: ResourceResolver;
  readonly region?: string;
  /** The end of the stack's ARN, which makes it unique. */
  readonly stackId?: string;
}

export function createResolver(template: Template, options: ResolverOptions): Resolve {
  const { region = defaultRegion, stackId = '00000000-0000-4000-8000-000000000000' } = options;

  const pseudoParameters: Readonly<Record<string, string>> = {
    'AWS::AccountId': accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/local/${stackId}`,
    'AWS::StackName': 'local',
    'AWS::URLSuffix': 'amazonaws.com',
  };

  function parameter(name: string): string | undefined {
    const { Type, Default } = template.parameters.get(name) ?? {};
    // The default of an SSM parameter is the parameter's path, not the value.
    return Default === undefined || Type?.startsWith('AWS::SSM::') ? undefined : String(Default);
  }

  function ref(logicalId: string): string {
    const value =
      pseudoParameters[logicalId] ??
      parameter(logicalId) ??
      options.resource(logicalId) ??
      physicalId(template, region, logicalId);
    if (value === undefined) throw new TemplateError(`cannot resolve Ref ${logicalId}`);
    return value;
  }

  function getAtt(logicalId: string, attribute: string): string {
    const value = options.resource(logicalId, attribute) ?? physicalId(template, region, logicalId, attribute);
    if (value === undefined) throw new TemplateError(`cannot resolve Fn::GetAtt ${logicalId}.${attribute}`);
    return value;
  }

  function dotted(reference: string): string {
    const dot = reference.indexOf('.');
    return dot < 0 ? ref(reference) : getAtt(reference.slice(0, dot), reference.slice(dot + 1));
  }

  function text(value: unknown): string {
    const resolved = resolve(value);
    if (typeof resolved === 'string' || typeof resolved === 'number' || typeof resolved === 'boolean') {
      return String(resolved);
    }
    throw new TemplateError(`expected a string, not ${JSON.stringify(value)}`);
  }

  function list(value: unknown): unknown[] {
    const resolved = resolve(value);
    if (Array.isArray(resolved)) return resolved;
    throw new TemplateError(`expected a list, not ${JSON.stringify(value)}`);
  }

  function substitute(argument: unknown): string {
    const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const own = isRecord(variables) ? variables : {};
    return String(pattern).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      return Object.hasOwn(own, name) ? text(own[name]) : dotted(name);
    });
  }

  function select(argument: unknown): unknown {
    const [index, values] = Array.isArray(argument) ? argument : [];
    const selected = list(values)[Number(resolve(index))];
    if (selected === undefined) throw new TemplateError(`Fn::Select finds nothing in ${JSON.stringify(argument)}`);
    return selected;
  }

  const intrinsics: Readonly<Record<string, (argument: unknown) => unknown>> = {
    Ref: (name) => (name === 'AWS::NoValue' ? undefined : ref(String(name))),
    'Fn::GetAtt': (argument) =>
      Array.isArray(argument) ? getAtt(text(argument[0]), text(argument[1])) : dotted(text(argument)),
    'Fn::Join': (argument) => {
      const [separator, values] = Array.isArray(argument) ? argument : [];
      return list(values).map(text).join(text(separator));
    },
    'Fn::Select': select,
    'Fn::Split': (argument) => {
      const [separator, value] = Array.isArray(argument) ? argument : [];
      return text(value).split(text(separator));
    },
    'Fn::Sub': substitute,
  };

  function resolveRecord(record: Record<string, unknown>): unknown {
    const [key, ...others] = Object.keys(record);
    if (key !== undefined && others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'))) {
      const intrinsic = intrinsics[key];
      if (!intrinsic) throw new TemplateError(`cannot resolve ${key}`);
      return intrinsic(record[key]);
    }
    const resolved = Object.entries(record).map(([name, value]) => [name, resolve(value)] as const);
    return Object.fromEntries(resolved.filter(([, value]) => value !== undefined));
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== undefined);
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      throw new TemplateError(`cannot resolve the dynamic reference ${value}`);
    }
    return isRecord(value) ? resolveRecord(value) : value;
  }

  return resolve;
}

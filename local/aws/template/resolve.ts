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

  function list(value: unknown): unknown[] {
    const resolved = resolve(value);
    if (Array.isArray(resolved)) return resolved;
    throw new TemplateError(`expected a list, not ${JSON.stringify(value)}`);
  }

  function texts(value: unknown): string[] {
    return list(value).map((one) => {
      if (['string', 'number', 'boolean'].includes(typeof one)) return String(one);
      throw new TemplateError(`expected a string, not ${JSON.stringify(one)}`);
    });
  }

  function ref(name: string): string | undefined {
    return pseudoParameters[name] ?? options.resource(name) ?? physicalId(template, region, name);
  }

  const intrinsics: Readonly<Record<string, (argument: unknown) => unknown>> = {
    Ref: (name) => ref(String(name)),
    'Fn::GetAtt'(argument) {
      const [logicalId = '', attribute = ''] = texts(argument);
      return options.resource(logicalId, attribute) ?? physicalId(template, region, logicalId, attribute);
    },
    'Fn::Join'(argument) {
      const [separator, values] = list(argument);
      return texts(values).join(String(separator));
    },
    'Fn::Select'(argument) {
      const [index, values] = list(argument);
      return list(values)[Number(index)];
    },
    'Fn::Split'(argument) {
      const [separator = '', text = ''] = texts(argument);
      return text.split(separator);
    },
  };

  function resolveRecord(record: Record<string, unknown>): unknown {
    const [key, ...others] = Object.keys(record);
    if (key !== undefined && others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'))) {
      const resolved = intrinsics[key]?.(record[key]);
      if (resolved === undefined) throw new TemplateError(`cannot resolve ${key} ${JSON.stringify(record[key])}`);
      return resolved;
    }
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, resolve(value)]));
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      throw new TemplateError(`cannot resolve the dynamic reference ${value}`);
    }
    return isRecord(value) ? resolveRecord(value) : value;
  }

  return resolve;
}

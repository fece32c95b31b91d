import * as z from 'zod/mini';
import type { Access, RequestContext } from '../base/signatures/aws-access.ts';
import type { Resolve } from './resolve.ts';
import { mapResources, referenceTo } from './resources.ts';
import type { Template } from './template.ts';

export interface PolicyStatement {
  readonly actions: readonly string[];
  /** ARNs that may contain `*` and `?`. */
  readonly resources: readonly string[];
  /** All must hold. */
  readonly conditions: readonly PolicyCondition[];
}

/** Holds if the request has the key, and each of its values matches one of the patterns. */
interface PolicyCondition {
  /** `dynamodb:LeadingKeys` or `s3:prefix`. */
  readonly key: string;
  readonly patterns: readonly string[];
}

const oneOrMoreSchema = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((value) => (Array.isArray(value) ? value : [value])),
);
/**
 * Strict: a condition that is not evaluated would allow too much. In IAM, `ForAllValues` alone holds for a request
 * without the key.
 */
const conditionsSchema = z.union([
  z.pipe(
    z.strictObject({
      'ForAllValues:StringLike': z.strictObject({ 'dynamodb:LeadingKeys': oneOrMoreSchema }),
      Null: z.strictObject({ 'dynamodb:LeadingKeys': z.literal('false') }),
    }),
    z.transform((condition) => condition['ForAllValues:StringLike']),
  ),
  z.pipe(
    z.strictObject({ StringLike: z.strictObject({ 's3:prefix': oneOrMoreSchema }) }),
    z.transform(({ StringLike }) => StringLike),
  ),
]);
const statementSchema = z.object({
  Effect: z.literal('Allow'),
  Action: oneOrMoreSchema,
  Resource: oneOrMoreSchema,
  Condition: z.optional(conditionsSchema),
});
const rolePropertiesSchema = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statementSchema) }) })), []),
  ManagedPolicyArns: z.optional(z.undefined('the statements of a managed policy are not in the template')),
});

const toStatement = ({ Action, Resource, Condition }: z.output<typeof statementSchema>): PolicyStatement => ({
  actions: Action,
  resources: Resource,
  conditions: Object.entries(Condition ?? {}).map(([key, patterns]) => ({ key, patterns })),
});

/** What each function's role allows it, by the function's logical id. */
export function readRolePolicies(template: Template, resolve: Resolve): Map<string, PolicyStatement[]> {
  const byRole = new Map(
    mapResources(template, resolve, 'AWS::IAM::Role', rolePropertiesSchema, ({ logicalId, properties }) => [
      logicalId,
      properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(toStatement)),
    ]),
  );
  return new Map(
    mapResources(template, resolve, 'AWS::Lambda::Function', z.object({}), ({ logicalId, resource }) => {
      const role = referenceTo(template, 'AWS::IAM::Role', resource.Properties.Role);
      return [logicalId, byRole.get(role) ?? []];
    }),
  );
}

/** The patterns of a template are few, and every call is checked against some of them. */
const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const remembered = expressions.get(pattern);
  if (remembered) return remembered;
  const source = pattern
    .replace(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  expressions.set(pattern, expression);
  return expression;
}

const matches = (pattern: string, value: string): boolean => expressionOf(pattern).test(value);

function holds({ key, patterns }: PolicyCondition, context: RequestContext): boolean {
  const values = context[key] ?? [];
  return values.length > 0 && values.every((value) => patterns.some((pattern) => matches(pattern, value)));
}

/** IAM's decision: the default is deny. Actions ignore case, resources do not. */
export function isAllowed(
  statements: readonly PolicyStatement[],
  { action, resource, context = {} }: Omit<Access, 'accessKeyId'>,
): boolean {
  return statements.some(
    ({ actions, resources, conditions }) =>
      actions.some((one) => one.toLowerCase() === action.toLowerCase()) &&
      resources.some((pattern) => matches(pattern, resource)) &&
      conditions.every((condition) => holds(condition, context)),
  );
}

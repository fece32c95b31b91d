import * as z from 'zod/mini';
import type { Access, RequestContext } from '../base/signatures/aws-access.ts';
import { referencesTo, referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  /** May contain `*` and `?`, as IAM's actions do. */
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
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMoreSchema,
  Resource: oneOrMoreSchema,
  Condition: z.optional(conditionsSchema),
});
const policyDocumentSchema = z.object({ Statement: z.array(statementSchema) });

const policyPropertiesSchema = z.object({ PolicyDocument: policyDocumentSchema });
const rolePropertiesSchema = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument: policyDocumentSchema })), []),
  ManagedPolicyArns: z._default(
    z.array(
      // This policy allows writing logs, and there are no CloudWatch logs here.
      z.string().check(z.endsWith(':policy/service-role/AWSLambdaBasicExecutionRole')),
    ),
    [],
  ),
});

const toStatements = (document: z.output<typeof policyDocumentSchema>): PolicyStatement[] =>
  document.Statement.map(({ Effect, Action, Resource, Condition = {} }) => ({
    effect: Effect,
    actions: Action,
    resources: Resource,
    conditions: Object.entries(Condition).map(([key, patterns]) => ({ key, patterns })),
  }));

function readStatementsByRole(template: Template, resolve: Resolve): Map<string, PolicyStatement[]> {
  const roles = mapResources(
    template,
    resolve,
    'AWS::IAM::Role',
    rolePropertiesSchema,
    ({ logicalId, properties }) => ({
      role: logicalId,
      statements: properties.Policies.flatMap((policy) => toStatements(policy.PolicyDocument)),
    }),
  );
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    mapResources(template, resolve, type, policyPropertiesSchema, ({ resource, properties }) =>
      referencesTo(template, 'AWS::IAM::Role', resource.Properties.Roles).map((role) => ({
        role,
        statements: toStatements(properties.PolicyDocument),
      })),
    ).flat(),
  );
  const byRole = Map.groupBy([...roles, ...attached], ({ role }) => role);
  return new Map([...byRole].map(([role, grants]) => [role, grants.flatMap(({ statements }) => statements)]));
}

/** What each function's role allows it, by the function's logical id. */
export function readRolePolicies(template: Template, resolve: Resolve): Map<string, PolicyStatement[]> {
  const byRole = readStatementsByRole(template, resolve);
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

/** The statements of a role about an action on a resource. There are few of them, and every call asks for some. */
const found = new WeakMap<readonly PolicyStatement[], Map<string, readonly PolicyStatement[]>>();
const maxFound = 1_000;

function statementsAbout(
  statements: readonly PolicyStatement[],
  action: string,
  resource: string,
): readonly PolicyStatement[] {
  const key = `${action} ${resource}`;
  const remembered = found.get(statements);
  const about =
    remembered?.get(key) ??
    statements
      .filter(({ actions }) => actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())))
      .filter(({ resources }) => resources.some((pattern) => matches(pattern, resource)));
  if (!remembered || remembered.size >= maxFound) found.set(statements, new Map([[key, about]]));
  else remembered.set(key, about);
  return about;
}

/** IAM's decision: an explicit deny wins, and the default is deny. Actions ignore case, resources do not. */
export function isAllowed(
  statements: readonly PolicyStatement[],
  { action, resource, context = {} }: Omit<Access, 'accessKeyId'>,
): boolean {
  let isPermitted = false;
  for (const { effect, conditions } of statementsAbout(statements, action, resource)) {
    if (!conditions.every((condition) => holds(condition, context))) continue;
    if (effect === 'Deny') return false;
    isPermitted = true;
  }
  return isPermitted;
}

import * as z from 'zod/mini';
import { referencesTo, referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  /** May hold `*` and `?`, as IAM's actions do. */
  readonly actions: readonly string[];
  /** ARNs that may hold `*` and `?`. */
  readonly resources: readonly string[];
}

const OneOrMore = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((value) => (Array.isArray(value) ? value : [value])),
);
const Statement = z.object({ Effect: z.enum(['Allow', 'Deny']), Action: OneOrMore, Resource: OneOrMore });
const unconditional = z.object({
  ...Statement.shape,
  Condition: z.optional(z.undefined('the local world does not evaluate conditions of policies')),
});
const PolicyDocument = z.object({ Statement: z.array(unconditional) });

const PolicyProperties = z.object({ PolicyDocument });
const RoleProperties = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument })), []),
  ManagedPolicyArns: z._default(
    z.array(
      // Writing logs is what this one allows, and there are no CloudWatch logs to write here.
      z.string().check(z.endsWith(':policy/service-role/AWSLambdaBasicExecutionRole')),
    ),
    [],
  ),
});

const toStatements = (document: z.output<typeof PolicyDocument>): PolicyStatement[] =>
  document.Statement.map(({ Effect, Action, Resource }) => ({ effect: Effect, actions: Action, resources: Resource }));

function readStatementsByRole(template: Template, resolve: Resolve): Map<string, PolicyStatement[]> {
  const roles = mapResources(template, resolve, 'AWS::IAM::Role', RoleProperties, ({ logicalId, properties }) => ({
    role: logicalId,
    statements: properties.Policies.flatMap((policy) => toStatements(policy.PolicyDocument)),
  }));
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    mapResources(template, resolve, type, PolicyProperties, ({ resource, properties }) =>
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

function matches(pattern: string, value: string): boolean {
  const expression = pattern
    .replace(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(value);
}

/** IAM's decision: an explicit deny wins, and what nothing allows is denied. Actions do not mind case, resources do. */
export function isAllowed(statements: readonly PolicyStatement[], action: string, resource: string): boolean {
  const effects = statements
    .filter(({ actions }) => actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())))
    .filter(({ resources }) => resources.some((pattern) => matches(pattern, resource)))
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prodTemplate, resourcesOfType, type Template } from '../../support/aws/synthesised-template.ts';

const review = readFileSync(join(import.meta.dirname, '../../docs/internals/aws-review.md'), 'utf8');
const template = prodTemplate();

/** The names in the first cells of the rows. */
const named = new Set(
  [...review.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]*)`/g)].map(([, name]) => name),
  ),
);

const missing = (names: readonly string[]) => [...new Set(names)].filter((name) => !named.has(name));

it('docs/internals/aws-review.md has a row for every type of resource', () => {
  expect(missing(Object.values(template.Resources).map(({ Type }) => Type))).toEqual([]);
});

it('docs/internals/aws-review.md has a row for every action that a role permits', () => {
  expect(missing(actionsOf(template))).toEqual([]);
});

it('docs/internals/aws-review.md states how many executions the stack reserves, and how many rules the bucket has', () => {
  const reserved = resourcesOfType<{ ReservedConcurrentExecutions?: number }>(template, 'AWS::Lambda::Function').reduce(
    (sum, { Properties }) => sum + (Properties.ReservedConcurrentExecutions ?? 0),
    0,
  );
  expect(review).toContain(`${reserved} executions are reserved`);
  const [bucket] = resourcesOfType<{ LifecycleConfiguration: { Rules: unknown[] } }>(template, 'AWS::S3::Bucket');
  const rules = ['No', 'One', 'Two', 'Three', 'Four', 'Five'][
    bucket?.Properties.LifecycleConfiguration.Rules.length ?? 0
  ];
  expect(review).toContain(`${rules} rules of 1,000`);
});

interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[];
}

function actionsOf(from: Template): string[] {
  const roles = resourcesOfType<RoleProperties>(from, 'AWS::IAM::Role');
  const policies = roles.flatMap(({ Properties }) => Properties.Policies ?? []);
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action));
}

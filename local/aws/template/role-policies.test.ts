import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, templateOf } from '#support/aws/template.ts';
import { isAllowed, readRolePolicies } from './role-policies.ts';

const policy = (statement: Record<string, unknown>) => ({
  PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] },
});
const read = (...Policies: unknown[]) => {
  const template = templateOf({
    Role: { Type: 'AWS::IAM::Role', Properties: { Policies } },
    Table: { Type: 'AWS::DynamoDB::GlobalTable' },
    F1: functionResource('F'),
  });
  return readRolePolicies(template, resolverOf(template)).get('F1');
};

describe('readRolePolicies', () => {
  it("collects the statements of the role's policies", () => {
    const arn = { 'Fn::GetAtt': ['Table', 'Arn'] };
    expect(read(policy({ Action: 'a:One', Resource: '*' }), policy({ Action: ['a:Two'], Resource: [arn] }))).toEqual([
      { actions: ['a:One'], resources: ['*'], conditions: [] },
      { actions: ['a:Two'], resources: ['arn:aws:dynamodb:us-east-1:000000000000:table/Table'], conditions: [] },
    ]);
  });

  it('reads which partition keys a statement is limited to', () => {
    const Condition = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['NUMBER#*', 'USERS'] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    expect(read(policy({ Action: 'a', Resource: '*', Condition }))).toMatchObject([
      { conditions: [{ key: 'dynamodb:LeadingKeys', patterns: ['NUMBER#*', 'USERS'] }] },
    ]);
  });

  it('gives no permissions to a function without policies', () => {
    expect(read()).toEqual([]);
  });

  it.each([
    [
      'a condition that it does not evaluate',
      policy({ Action: 'a', Resource: '*', Condition: { StringLike: { 'dynamodb:LeadingKeys': 'x' } } }),
      'Condition',
    ],
    [
      'a condition about something else',
      policy({ Action: 'a', Resource: '*', Condition: { StringLike: { 'aws:TagKeys': 'x' } } }),
      'Condition',
    ],
    [
      'a condition that holds for a request without keys',
      policy({ Action: 'a', Resource: '*', Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'x' } } }),
      'Condition',
    ],
    ['NotAction', policy({ NotAction: 'a', Resource: '*' }), 'Action'],
    ['a denial', policy({ Effect: 'Deny', Action: 'a', Resource: '*' }), 'Effect'],
  ])('rejects a policy with %s', (_, properties, message) => {
    expect(() => read(properties)).toThrow(message);
  });

  it("rejects AWS's managed policies, whose statements are not in the template", () => {
    const properties = { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] };
    const template = templateOf({ Role: { Type: 'AWS::IAM::Role', Properties: properties } });
    expect(() => readRolePolicies(template, resolverOf(template))).toThrow('Role (AWS::IAM::Role)');
  });
});

describe('isAllowed', () => {
  const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Flows';
  const statements = [
    {
      actions: ['dynamodb:GetItem', 's3:GetObject'],
      resources: [table, 'arn:aws:s3:::media/*'],
      conditions: [],
    },
  ];

  it.each([
    ['dynamodb:GetItem', table, true],
    ['dynamodb:getitem', table, true],
    ['dynamodb:PutItem', table, false],
    ['dynamodb:GetItem', `${table}/index/gsi1`, false],
    ['dynamodb:GetItem', table.toLowerCase(), false],
    ['s3:GetObject', 'arn:aws:s3:::media/a/b', true],
    ['s3:PutObject', 'arn:aws:s3:::media/a', false],
  ])('decides whether %s on %s is allowed: %s', (action, resource, allowed) => {
    expect(isAllowed(statements, { action, resource })).toBe(allowed);
  });

  it.each<[readonly string[], boolean]>([
    [['NUMBER#1'], true],
    [['NUMBER#1', 'USERS'], true],
    [['TOKEN#1'], false],
    [['NUMBER#1', 'TOKEN#1'], false],
    [['USERS#1'], false],
    [[], false],
  ])('checks the partition keys %j against a condition: %s', (leadingKeys, allowed) => {
    const conditions = [{ key: 'dynamodb:LeadingKeys', patterns: ['NUMBER#*', 'USERS'] }];
    const conditional = [{ actions: ['dynamodb:GetItem'], resources: ['*'], conditions }];
    const access = { action: 'dynamodb:GetItem', resource: table, context: { 'dynamodb:LeadingKeys': leadingKeys } };
    expect(isAllowed(conditional, access)).toBe(allowed);
  });

  it('treats the special characters of regular expressions literally', () => {
    const dotted = [{ actions: ['a:B'], resources: ['arn:x.y(z)'], conditions: [] }];
    expect(isAllowed(dotted, { action: 'a:B', resource: 'arn:x.y(z)' })).toBe(true);
    expect(isAllowed(dotted, { action: 'a:B', resource: 'arn:xxy(z)' })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { isAllowed, readRolePolicies } from './role-policies.ts';

const policy = (statement: Record<string, unknown>) => ({
  PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] },
});
const read = (changes: Record<string, { Type: string; Properties?: Record<string, unknown> }>) => {
  const template = templateOf({
    Role: roleResource,
    Table: { Type: 'AWS::DynamoDB::Table' },
    F1: functionResource('F'),
    ...changes,
  });
  return readRolePolicies(template, resolverOf(template)).get('F1');
};

describe('readRolePolicies', () => {
  it("collects a role's own, attached and managed policies", () => {
    const roles = { Roles: [{ Ref: 'Role' }] };
    const arn = { 'Fn::GetAtt': ['Table', 'Arn'] };
    const statements = read({
      Role: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy({ Action: 'a:Own', Resource: '*' })] } },
      Attached: {
        Type: 'AWS::IAM::Policy',
        Properties: { ...roles, ...policy({ Action: ['a:One', 'a:Two'], Resource: [arn] }) },
      },
      Managed: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { ...roles, ...policy({ Action: 'a:Managed', Resource: arn }) },
      },
      Foreign: {
        Type: 'AWS::IAM::Policy',
        Properties: { Roles: [], ...policy({ Action: 'a:Foreign', Resource: '*' }) },
      },
    });
    const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Table';
    expect(statements).toEqual([
      { effect: 'Allow', actions: ['a:Own'], resources: ['*'], conditions: [] },
      { effect: 'Allow', actions: ['a:One', 'a:Two'], resources: [table], conditions: [] },
      { effect: 'Allow', actions: ['a:Managed'], resources: [table], conditions: [] },
    ]);
  });

  it('reads which partition keys a statement is limited to', () => {
    const Condition = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['NUMBER#*', 'USERS'] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    const properties = { Roles: [{ Ref: 'Role' }], ...policy({ Action: 'a', Resource: '*', Condition }) };
    expect(read({ P: { Type: 'AWS::IAM::Policy', Properties: properties } })).toMatchObject([
      { conditions: [{ key: 'dynamodb:LeadingKeys', patterns: ['NUMBER#*', 'USERS'] }] },
    ]);
  });

  it('gives no permissions to a function without policies', () => {
    expect(read({})).toEqual([]);
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
  ])('rejects a policy with %s', (_, properties, message) => {
    expect(() => read({ P: { Type: 'AWS::IAM::Policy', Properties: properties } })).toThrow(message);
  });

  it("rejects AWS's managed policies, whose statements are not in the template", () => {
    const properties = { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] };
    expect(() => read({ Role: { Type: 'AWS::IAM::Role', Properties: properties } })).toThrow('Role (AWS::IAM::Role)');
  });
});

describe('isAllowed', () => {
  const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Flows';
  const statements = [
    {
      effect: 'Allow',
      actions: ['dynamodb:GetItem', 's3:Get*'],
      resources: [table, 'arn:aws:s3:::media/*'],
      conditions: [],
    },
    { effect: 'Deny', actions: ['s3:*'], resources: ['arn:aws:s3:::media/private?'], conditions: [] },
  ] as const;

  it.each([
    ['dynamodb:GetItem', table, true],
    ['dynamodb:getitem', table, true],
    ['dynamodb:PutItem', table, false],
    ['dynamodb:GetItem', `${table}/index/gsi1`, false],
    ['dynamodb:GetItem', table.toLowerCase(), false],
    ['s3:GetObject', 'arn:aws:s3:::media/a/b', true],
    ['s3:GetObject', 'arn:aws:s3:::media/private1', false],
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
    const conditional = [{ effect: 'Allow', actions: ['dynamodb:*'], resources: ['*'], conditions }] as const;
    const access = { action: 'dynamodb:GetItem', resource: table, context: { 'dynamodb:LeadingKeys': leadingKeys } };
    expect(isAllowed(conditional, access)).toBe(allowed);
  });

  it('treats the special characters of regular expressions literally', () => {
    const dotted = [{ effect: 'Allow', actions: ['a:B'], resources: ['arn:x.y(z)'], conditions: [] }] as const;
    expect(isAllowed(dotted, { action: 'a:B', resource: 'arn:x.y(z)' })).toBe(true);
    expect(isAllowed(dotted, { action: 'a:B', resource: 'arn:xxy(z)' })).toBe(false);
  });
});

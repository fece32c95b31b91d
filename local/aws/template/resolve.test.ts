import { describe, expect, it } from 'vitest';
import { resolverOf, templateOf } from '#support/aws/template.ts';
import { createResolver } from './resolve.ts';

const template = templateOf({
  Table: { Type: 'AWS::DynamoDB::GlobalTable' },
  Named: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'flows' } },
  Queue: { Type: 'AWS::SQS::Queue' },
  Bucket: { Type: 'AWS::S3::Bucket' },
  Group: { Type: 'AWS::Logs::LogGroup' },
});
const resolve = resolverOf(template, (logicalId, attribute) =>
  logicalId === 'Queue' && attribute === undefined ? 'http://127.0.0.1:1/000000000000/Queue' : undefined,
);

describe('createResolver', () => {
  it.each([
    ['a literal', 'text', 'text'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['a reference by the logical id', { Ref: 'Table' }, 'Table'],
    ['a reference by the name', { Ref: 'Named' }, 'flows'],
    ['what only the running world knows', { Ref: 'Queue' }, 'http://127.0.0.1:1/000000000000/Queue'],
    ['an ARN', { 'Fn::GetAtt': ['Named', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/flows'],
    ['the ARN of a bucket', { 'Fn::GetAtt': ['Bucket', 'Arn'] }, 'arn:aws:s3:::bucket'],
    ['a name as attribute', { 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'Queue'],
    [
      'the ARN of a log group',
      { 'Fn::GetAtt': ['Group', 'Arn'] },
      'arn:aws:logs:us-east-1:000000000000:log-group:Group:*',
    ],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'Named' }, 3]] }, 'a/flows/3'],
    ['Fn::Select and Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['nested values', { a: [{ Ref: 'Named' }, 1, true, null] }, { a: ['flows', 1, true, null] }],
  ])('resolves a value of the kind: %s', (_, value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it.each([
    ['an unknown reference', { Ref: 'Missing' }, 'Ref "Missing"'],
    ['a queue URL that nobody gave', { a: [{ Ref: 'Queue' }] }, 'Ref "Queue"'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Table', 'StreamArn'] }, 'StreamArn'],
    ['a parameter', { Ref: 'BootstrapVersion' }, 'Ref "BootstrapVersion"'],
    ['an unknown function', { 'Fn::ImportValue': 'x' }, 'Fn::ImportValue'],
    ['a dynamic reference', '{{resolve:secretsmanager:x}}', 'dynamic reference'],
    ['Fn::Select out of range', { 'Fn::Select': [3, ['a']] }, 'Fn::Select'],
    ['Fn::Join of what is not a list', { 'Fn::Join': ['', 'a'] }, 'expected a list'],
  ])('rejects a value that it cannot resolve: %s', (_, value, message) => {
    expect(() => createResolver(template, { resource: () => undefined })(value)).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { consumer, functions } from '../../functions/operations.ts';
import type { Uses } from '../../shared/http/contract.ts';
import {
  devTemplate,
  functionNamed,
  pascalCase,
  type Resource,
  render,
  resourcesOfType,
  type Template,
} from './template.ts';

const template = devTemplate();

describe.each(functions.map((definition) => [definition.name, definition] as const))(
  'the role of %s',
  (name, { uses }) => {
    it('may do what the function declares, write its log and its traces, and nothing else', () => {
      const logs = `<${logicalIdOf(template, `${pascalCase(name)}Logs`)}.Arn>`;
      expect(permissions(roleOf(name))).toEqual(
        [
          ...declared(uses),
          ...(name === consumer.name ? receivingFromQueue : []),
          `logs:CreateLogStream ${logs}`,
          `logs:PutLogEvents ${logs}`,
          'xray:PutTelemetryRecords *',
          'xray:PutTraceSegments *',
        ].sort(),
      );
    });

    it('is its own, and may be assumed by Lambda only', () => {
      const role = roleOf(name);
      const users = resourcesOfType(template, 'AWS::Lambda::Function').filter(
        ({ Properties }) => render(Properties.Role) === `<${role.logicalId}.Arn>`,
      );
      expect(users).toHaveLength(1);
      expect(role.Properties).toEqual({
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
        },
      });
    });
  },
);

/** What Lambda does in the name of a function that a queue feeds. */
const receivingFromQueue = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
  (action) => `sqs:${action} <NotificationQueue.Arn>`,
);

const workspaceSecrets =
  'arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:messaging/dev/workspaces/*';

/** As IAM has them: the action and what it is allowed on. */
function declared(uses: Uses): string[] {
  const { table = [], indexes = [], bucket = [], bucketPrefix = '' } = uses;
  const { upstream, credentials, queue, createsFlowKeys } = uses;
  return [
    ...table.map((action) => `dynamodb:${action} <Table.Arn>`),
    ...indexes.map((index) => `dynamodb:Query <Table.Arn>/index/${index}`),
    ...bucket.map((action) => `s3:${action} <Bucket.Arn>${action === 'ListBucket' ? '' : `/${bucketPrefix}*`}`),
    ...(queue ? ['sqs:SendMessage <NotificationQueue.Arn>'] : []),
    ...(upstream || credentials
      ? ['secretsmanager:GetSecretValue <UpstreamSecret>', `secretsmanager:GetSecretValue ${workspaceSecrets}`]
      : []),
    ...(createsFlowKeys
      ? [`secretsmanager:CreateSecret ${workspaceSecrets}`, `secretsmanager:PutSecretValue ${workspaceSecrets}`]
      : []),
  ];
}

function roleOf(name: string): Resource {
  const role = render(functionNamed(template, name).Properties.Role);
  const found = resourcesOfType(template, 'AWS::IAM::Role').find(({ logicalId }) => role === `<${logicalId}.Arn>`);
  if (!found) throw new Error(`${name} has no role of this stack`);
  return found;
}

interface PolicyProperties {
  Roles: unknown[];
  PolicyDocument: { Statement: { Effect: string; Action: string | string[]; Resource: unknown }[] };
}

function permissions(role: Resource): string[] {
  return resourcesOfType<PolicyProperties>(template, 'AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some((attached) => render(attached) === `<${role.logicalId}>`))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Effect, Action, Resource }) => {
      expect(Effect).toBe('Allow');
      return [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${action} ${render(on)}`));
    })
    .sort();
}

function logicalIdOf({ Resources }: Template, id: string): string | undefined {
  return Object.entries(Resources).find(
    ([, { Metadata }]) => Metadata['aws:cdk:path'] === `messaging-dev/${id}/Resource`,
  )?.[0];
}

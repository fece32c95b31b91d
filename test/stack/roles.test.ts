import { describe, expect, it } from 'vitest';
import { consumer, functions } from '#functions/operations.ts';
import type { Uses } from '#shared/http/contract/contract.ts';
import { devTemplate, functionNamed, type Resource, render, resourcesOfType, type Template } from './template.ts';

const template = devTemplate();

describe.each(functions.map((definition) => [definition.name, definition] as const))(
  'the role of %s',
  (name, { uses, traffic }) => {
    it('permits what the function declares, its log and its traces, and nothing else', () => {
      const logs = `<${logicalIdOf(template, logGroups[name] ?? 'OperationLogs')}.Arn>`;
      expect(permissions(roleOf(name))).toEqual(
        [
          ...declared(uses),
          ...(name === consumer.name ? receivingFromQueues : []),
          `logs:CreateLogStream ${logs}`,
          `logs:PutLogEvents ${logs}`,
          ...(traffic === 'events' || traffic === 'deliveries'
            ? []
            : ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *']),
        ].sort(),
      );
    });

    it('belongs to one function, and can be assumed by Lambda only', () => {
      const role = roleOf(name);
      const users = resourcesOfType(template, 'AWS::Lambda::Function').filter(
        ({ Properties }) => render(Properties.Role) === `<${role.logicalId}.Arn>`,
      );
      expect(users).toHaveLength(1);
      expect(Object.keys(role.Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Policies']);
      expect(role.Properties).toMatchObject({
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
        },
      });
    });
  },
);

/** What Lambda does in the name of a function that a queue feeds. */
const receivingFromQueues = ['NotificationQueue', 'SlowNotificationQueue'].flatMap((queue) =>
  ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} <${queue}.Arn>`),
);

const secretsNamed = (prefix: string) =>
  `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:messaging/dev/${prefix}/*`;
const flowKeySecrets = secretsNamed('flow-keys');
const formerFlowKeySecrets = secretsNamed('workspaces');

/** As IAM has them: the action and what it is allowed on. */
function declared(uses: Uses): string[] {
  const { table = [], indexes = [], reads, writes, bucket = [], bucketPrefixes = [] } = uses;
  const { upstream, credentials, queue, flowKeys } = uses;
  return [
    ...table.map((action) => `dynamodb:${action} <Table.Arn>${forKeys(isWrite(action) ? writes : reads)}`),
    ...indexes.map((index) => `dynamodb:Query <Table.Arn>/index/${index}`),
    ...bucket.flatMap((action) =>
      action === 'ListBucket'
        ? ['s3:ListBucket <Bucket.Arn>']
        : bucketPrefixes.map((prefix) => `s3:${action} <Bucket.Arn>/${prefix}*`),
    ),
    ...(queue ? ['sqs:SendMessage <NotificationQueue.Arn>', 'sqs:SendMessage <SlowNotificationQueue.Arn>'] : []),
    ...(upstream || credentials ? ['secretsmanager:GetSecretValue <UpstreamSecret>'] : []),
    ...(flowKeys
      ? [flowKeySecrets, formerFlowKeySecrets].map((secrets) => `secretsmanager:GetSecretValue ${secrets}`)
      : []),
    ...(flowKeys === 'create' ? [`secretsmanager:CreateSecret ${flowKeySecrets}`] : []),
  ];
}

function forKeys(keys: readonly string[] | undefined): string {
  return keys ? ` for ${keys.map((key) => (key.endsWith('#') ? `${key}*` : key)).join(', ')}` : '';
}

const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem'];
const isWrite = (action: string) => writeActions.includes(action);

/** Those of the functions that do not log to the group of the operations. */
const logGroups: Readonly<Record<string, string>> = {
  'exchange-flow-data': 'FlowEndpointLogs',
  'deliver-notifications': 'DeliverNotificationsLogs',
  'sweep-deliveries': 'SweepDeliveriesLogs',
};

describe('the roles together', () => {
  const using = (trait: (uses: Uses) => unknown) => functions.filter(({ uses }) => trait(uses)).map(({ name }) => name);
  const permissionsOf = (name: string) => permissions(roleOf(name));

  it("allow no function that calls customers' addresses to read or write items under any partition key", () => {
    for (const name of using(({ egress }) => egress)) {
      const onTable = permissionsOf(name).filter((permission) =>
        /^dynamodb:\w+ <Table\.Arn>(?!\/index)/.test(permission),
      );
      expect(
        onTable.filter((permission) => !permission.includes(' for ')),
        name,
      ).toEqual([]);
      const writing = onTable.filter((permission) => /:(Put|Update|Delete)Item/.test(permission));
      expect(
        writing.filter((permission) => /\b(TOKEN|USER|WORKSPACE|FLOW)#/.test(permission)),
        name,
      ).toEqual([]);
    }
  });

  it.each([
    ['deliver-notifications', 'DELIVERIES#*, NUMBER#*, OFF_TIME#*'],
    ['test-webhook', 'DELIVERIES#*'],
    ['update-webhook', 'NUMBER#*'],
    ['make-call', 'KEYED_REQUEST#*'],
    ['exchange-flow-data', 'EXCHANGES#*, FUNNEL#*, NUMBER#*, SENT_FLOW#*'],
    ['exchange-preview-data', 'EXCHANGES#*, NUMBER#*'],
  ])('allow %s to write only %s', (name, keys) => {
    const writing = permissionsOf(name).filter((permission) => /^dynamodb:(Put|Update|Delete)Item/.test(permission));
    expect(writing.map((permission) => permission.split(' for ')[1])).toEqual(writing.map(() => keys));
    expect(writing).not.toEqual([]);
  });

  it.each([
    ['send-message', 'FLOW_JSON#*, NUMBER#*, SENT_FLOW#*, TOKEN#*, WORKSPACE#*'],
    ['make-call', 'NUMBER#*, TOKEN#*, WORKSPACE#*'],
    ['resume-webhook', 'NUMBER#*, TOKEN#*, WORKSPACE#*'],
  ])('allow %s to read only %s', (name, keys) => {
    const reading = permissionsOf(name).filter((permission) => /^dynamodb:(BatchGet|Get)Item/.test(permission));
    expect(reading.map((permission) => permission.split(' for ')[1])).toEqual(reading.map(() => keys));
    expect(reading).not.toEqual([]);
  });

  it('allow two functions to read the private keys of Flows, one to create some, and none to change any', () => {
    const onKeys = functions.flatMap(({ name }) =>
      permissionsOf(name)
        .filter((permission) => /secretsmanager:.*messaging\/dev\//.test(permission))
        .map((permission) => `${name} ${permission}`),
    );
    expect(onKeys.sort()).toEqual([
      `exchange-flow-data secretsmanager:GetSecretValue ${flowKeySecrets}`,
      `exchange-flow-data secretsmanager:GetSecretValue ${formerFlowKeySecrets}`,
      `publish-flow secretsmanager:CreateSecret ${flowKeySecrets}`,
      `publish-flow secretsmanager:GetSecretValue ${flowKeySecrets}`,
      `publish-flow secretsmanager:GetSecretValue ${formerFlowKeySecrets}`,
    ]);
  });

  it('allow access to objects below single prefixes of the bucket only', () => {
    const objects = functions
      .flatMap(({ name }) => permissionsOf(name))
      .filter((permission) => /^s3:\w+ .*\//.test(permission));
    expect(new Set(objects.map((permission) => permission.split('<Bucket.Arn>')[1]))).toEqual(
      new Set(['/flows/*', '/media/*', '/notifications/*']),
    );
    expect(permissionsOf('receive-events')).toContain('s3:PutObject <Bucket.Arn>/notifications/*');
    expect(permissionsOf(consumer.name)).toContain('s3:GetObject <Bucket.Arn>/notifications/*');
    expect(permissionsOf('delete-flow')).toContain('s3:DeleteObject <Bucket.Arn>/flows/*');
  });
});

function roleOf(name: string): Resource<RoleProperties> {
  const role = render(functionNamed(template, name).Properties.Role);
  const found = resourcesOfType<RoleProperties>(template, 'AWS::IAM::Role').find(
    ({ logicalId }) => role === `<${logicalId}.Arn>`,
  );
  if (!found) throw new Error(`${name} has no role of this stack`);
  return found;
}

interface RoleProperties {
  Policies: {
    PolicyDocument: {
      Statement: {
        Effect: string;
        Action: string | string[];
        Resource: unknown;
        Condition?: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': string[] } };
      }[];
    };
  }[];
}

function permissions(role: Resource<RoleProperties>): string[] {
  return role.Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Effect, Action, Resource, Condition }) => {
      expect(Effect).toBe('Allow');
      const keys = Condition?.['ForAllValues:StringLike']['dynamodb:LeadingKeys'];
      return [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((on) => `${action} ${render(on)}${forKeys(keys)}`));
    })
    .sort();
}

function logicalIdOf({ Resources }: Template, id: string): string | undefined {
  return Object.entries(Resources).find(
    ([, { Metadata }]) => Metadata['aws:cdk:path'] === `messaging-dev/${id}/Resource`,
  )?.[0];
}

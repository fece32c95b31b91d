import { describe, expect, it } from 'vitest';
import { deliverNotifications, functions, graphFunctions, operations } from '#functions/operations.ts';
import { functionBehind, type Uses } from '#shared/operations/contract.ts';
import {
  devTemplate,
  functionNamed,
  prodTemplate,
  type Resource,
  render,
  resourcesOfType,
  type Template,
} from '../../support/aws/synthesised-template.ts';
import { rights } from './rights.ts';

const template = devTemplate();

describe.each(functions.map((definition) => [definition.name, definition] as const))(
  'the role of %s',
  (name, { traffic }) => {
    it('permits what rights.ts says, its log and its traces, and nothing else', () => {
      const logs = `<${logicalIdOf(template, logGroups[name] ?? 'OperationLogs')}.Arn>`;
      expect(permissions(roleOf(name))).toEqual(
        [
          ...(rights[name] ?? []),
          ...(name === deliverNotifications.name ? receivingFromQueue : []),
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

/** What Lambda does in the name of the function that the queue feeds. */
const receivingFromQueue = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
  (action) => `sqs:${action} <NotificationQueue.Arn>`,
);

/** Those of the functions that do not log to the group of the operations. */
const logGroups: Readonly<Record<string, string>> = {
  'exchange-flow-data': 'ExchangeFlowDataLogs',
  'deliver-notifications': 'DeliverNotificationsLogs',
  'sweep-deliveries': 'SweepDeliveriesLogs',
};

describe('the roles together', () => {
  const functionsUsing = (trait: (uses: Uses) => unknown) =>
    functions.filter(({ uses }) => trait(uses)).map(({ name }) => name);

  /** The functions with a right that matches. */
  const functionsWithRight = (right: RegExp) =>
    functions.map(({ name }) => name).filter((name) => permissions(roleOf(name)).some((each) => right.test(each)));

  it('are those of the functions, and there are no others', () => {
    expect(Object.keys(rights).sort()).toEqual(functions.map(({ name }) => name).sort());
  });

  it('fit into the 10,240 characters that IAM allows for the inline policies of a role', () => {
    for (const role of resourcesOfType<RoleProperties>(prodTemplate(), 'AWS::IAM::Role')) {
      expect(JSON.stringify(role.Properties.Policies ?? []).length, role.logicalId).toBeLessThan(10_240);
    }
  });

  it('name the partitions of every action on the table and its indexes', () => {
    const all = functions.flatMap(({ name }) => permissions(roleOf(name)));
    expect(
      all.filter((each) => /^dynamodb:/.test(each) && !/^dynamodb:\w+ table(\/gsi[12])?: [A-Z]/.test(each)),
    ).toEqual([]);
  });

  it('let only functions that authenticate a caller read access tokens', () => {
    const authenticated = operations.filter(({ caller }) => caller !== 'public' && caller !== 'upstream');
    const expected = [...authenticated.map(functionBehind), ...graphFunctions.map(({ name }) => name)];
    expect(functionsWithRight(/\bTOKEN#/).sort()).toEqual([...new Set(expected)].sort());
  });

  it('let none change tokens, users, or which number a phone number id belongs to', () => {
    expect(functionsWithRight(/:(Put|Update|Delete)Item .*\b(TOKEN|USER|PHONE_NUMBER_ID)#/)).toEqual([]);
  });

  it('let only operations on Flows, and reports of them, write below a workspace, where its members are', () => {
    expect(functionsWithRight(/:(Put|Update|Delete)Item .*\bWORKSPACE#/).sort()).toEqual([
      'create-flow',
      'create-preview',
      'delete-flow',
      'get-flow',
      'list-flows',
      'publish-flow',
      'receive-events',
      'update-flow',
      'update-flow-json',
    ]);
  });

  it('let only one delete items of a number as a subscriber, or its secrets, and none replace any', () => {
    expect(functionsWithRight(/:PutItem .*\b(SUBSCRIBER|SECRETS)#/)).toEqual([]);
    expect(functionsWithRight(/:DeleteItem .*\b(SUBSCRIBER|SECRETS)#/)).toEqual(['delete-webhook-target']);
  });

  it('let only functions that sign, rotate or make a handshake read signing secrets and the headers of receivers', () => {
    expect(functionsWithRight(/:(GetItem|BatchGetItem|Query) .*\bSECRETS#/).sort()).toEqual([
      'deliver-notifications',
      'exchange-flow-data',
      'exchange-preview-data',
      'graph-register',
      'publish-flow',
      'rotate-webhook-secret',
      'test-webhook',
      'update-webhook',
      'update-webhook-target',
    ]);
  });

  it('let only these change signing secrets and the headers of receivers', () => {
    expect(functionsWithRight(/:UpdateItem .*\bSECRETS#/).sort()).toEqual([
      'delete-webhook-target',
      'graph-register',
      'rotate-webhook-secret',
      'update-webhook-target',
    ]);
  });

  it("let only the lists of workspaces and numbers, and Graph's paths, ask for the memberships of a user", () => {
    const asking = ['graph-change', 'graph-read', 'graph-register', 'graph-send', 'list-numbers', 'list-workspaces'];
    expect(functionsWithRight(/gsi1: .*\bUSER#/).sort()).toEqual(asking);
  });

  it("let no function that calls customers' addresses write tokens, users, memberships or Flows", () => {
    const writing = functionsWithRight(/:(Put|Update|Delete)Item .*\b(TOKEN|USER|WORKSPACE|FLOWS?)#/);
    expect(functionsUsing(({ egress }) => egress).filter((name) => writing.includes(name))).toEqual([]);
  });

  it('let three functions read the private keys of Flows, one create some, and none change any', () => {
    expect(functionsWithRight(/secretsmanager:GetSecretValue .*flow-keys/).sort()).toEqual([
      'exchange-flow-data',
      'get-flow-file',
      'publish-flow',
    ]);
    expect(functionsWithRight(/secretsmanager:CreateSecret/)).toEqual(['publish-flow']);
    expect(functionsWithRight(/secretsmanager:(?!GetSecretValue|CreateSecret)/)).toEqual([]);
  });

  it('let functions read credentials of workspaces that call the platform or verify its requests', () => {
    expect(functionsWithRight(/secretsmanager:GetSecretValue secret credentials/).sort()).toEqual(
      functionsUsing(({ upstream, credentials }) => upstream || credentials === 'of-workspaces').sort(),
    );
    expect(functionsWithRight(/secretsmanager:GetSecretValue secret credentials/)).not.toContain('verify-events');
  });

  it('let functions reach objects below single prefixes of the bucket only', () => {
    const all = functions.flatMap(({ name }) => permissions(roleOf(name)));
    expect(
      all.filter(
        (each) => /^s3:/.test(each) && !/^s3:(ListBucket bucket:( \w+\/\*)+$|\w+ bucket\/\w+\/\*$)/.test(each),
      ),
    ).toEqual([]);
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
        Condition?: Record<string, Record<string, string | string[]>>;
      }[];
    };
  }[];
}

/** As `rights.ts` states them: the action, on what, and for the table the partitions. */
function permissions(role: Resource<RoleProperties>): string[] {
  return role.Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Effect, Action, Resource, Condition }) => {
      expect(Effect).toBe('Allow');
      const { 'ForAllValues:StringLike': leading, Null, StringLike: listed } = Condition ?? {};
      // Without it, the condition would hold for a request without keys.
      expect(Null).toEqual(leading && { 'dynamodb:LeadingKeys': 'false' });
      const keys = leading?.['dynamodb:LeadingKeys'] ?? listed?.['s3:prefix'];
      const partitions = keys ? `: ${[keys].flat().join(' ').replaceAll('#*', '#')}` : '';
      const on = [Resource].flat().map((each) => nameOf(render(each)));
      return [Action].flat().flatMap((action) => on.map((name) => `${action} ${name}${partitions}`));
    })
    .sort();
}

/** Shortens what a permission is about. */
function nameOf(resource: string): string {
  return resource
    .replace('<Table.Arn>', 'table')
    .replace('/index/', '/')
    .replace('<Bucket.Arn>', 'bucket')
    .replace(/^arn:.*:secret:messaging\/dev\//, 'secret ');
}

function logicalIdOf({ Resources }: Template, id: string): string | undefined {
  return Object.entries(Resources).find(
    ([, { Metadata }]) => Metadata['aws:cdk:path'] === `messaging-dev/${id}/Resource`,
  )?.[0];
}

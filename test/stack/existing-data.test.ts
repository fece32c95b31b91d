import { describe, expect, it } from 'vitest';
import { functions } from '#functions/operations.ts';
import { functionNamed, prodTemplate, render, resourcesOfType } from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const created = prodTemplate();
const adopting = synthesise({
  stage: 'prod',
  alarmEmail: 'operator@example.com',
  existingTable: 'messaging-restored',
  existingSecret: 'messaging/prod/upstream',
});

const tableArn = 'arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/messaging-restored';
const secretArn =
  'arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:messaging/prod/upstream-??????';

interface RoleProperties {
  Policies: { PolicyDocument: { Statement: { Resource: unknown }[] } }[];
}

/** What the roles of a template may use, by role. */
const resourcesOfRoles = (template: typeof created) =>
  Object.fromEntries(
    resourcesOfType<RoleProperties>(template, 'AWS::IAM::Role').map(({ logicalId, Properties }) => [
      logicalId,
      Properties.Policies.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.flatMap(({ Resource }) => [Resource].flat().map(render)),
      ),
    ]),
  );

describe('a stack with an existing table and an existing secret', () => {
  it('creates neither, and everything else as without them', () => {
    const { Table, UpstreamSecret, ...others } = created.Resources;
    expect([Table?.Type, UpstreamSecret?.Type]).toEqual(['AWS::DynamoDB::GlobalTable', 'AWS::SecretsManager::Secret']);
    expect(Object.keys(adopting.Resources).sort()).toEqual(Object.keys(others).sort());
  });

  it('names them to the functions and in the outputs', () => {
    const valuesOf = (name: string) =>
      new Set(
        functions.flatMap(({ name: functionName }) => {
          const value = functionNamed(adopting, functionName).Properties.Environment.Variables[name];
          return value === undefined ? [] : [value];
        }),
      );
    expect([...valuesOf('TABLE_NAME')]).toEqual(['messaging-restored']);
    expect([...valuesOf('UPSTREAM_SECRET_ID')]).toEqual(['messaging/prod/upstream']);
    expect(adopting.Outputs).toMatchObject({
      TableName: { Value: 'messaging-restored' },
      UpstreamSecretName: { Value: 'messaging/prod/upstream' },
    });
  });

  it('gives each role the same rights to them as to its own', () => {
    const own = resourcesOfRoles(created);
    const renamed = (arn: string) => arn.replace('<Table.Arn>', tableArn).replace('<UpstreamSecret>', secretArn);
    const expected = Object.entries(own).map(([role, arns]) => [role, arns.map(renamed).sort()]);
    const found = Object.entries(resourcesOfRoles(adopting)).map(([role, arns]) => [role, arns.toSorted()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    for (const arn of [tableArn, secretArn]) expect(JSON.stringify(found)).toContain(arn);
  });

  it('has the same alarms and the same dashboard, which look at no table', () => {
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard']) {
      expect(resourcesOfType(adopting, type)).toEqual(resourcesOfType(created, type));
      expect(JSON.stringify(resourcesOfType(created, type))).not.toMatch(/TableName|AWS\/DynamoDB|"Table"/);
    }
  });

  it('does not refer to a table or a secret of its own', () => {
    expect(JSON.stringify(adopting)).not.toMatch(/"(Table|UpstreamSecret)"/);
  });
});

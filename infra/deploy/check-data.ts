import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Config } from '../config.ts';
import { type Aws, unlessMissing } from './aws.ts';
import type { Findings, Subject } from './findings.ts';
import { hasResource } from './stack-state.ts';

export async function checkSecret({ aws, config, stackName, stack }: Subject): Promise<Partial<Findings>> {
  const name = config.secretNames.upstream;
  const command = new DescribeSecretCommand({ SecretId: name });
  const found = await unlessMissing(aws.secretsManager.send(command), 'ResourceNotFoundException');
  const isDoomed = found?.DeletedDate !== undefined;
  const restore = `aws secretsmanager restore-secret --secret-id ${name}`;
  if (config.existing.secret !== undefined) {
    if (!found)
      return { problems: [`There is no secret ${name} (setting existingSecret) in this account and region.`] };
    return isDoomed ? { problems: [`The secret ${name} is about to be deleted. Keep it: ${restore}`] } : {};
  }
  if (!found || (stack && (await hasResource(stackName, 'UpstreamSecret', aws)))) return {};
  const use = `--existing-secret ${name}`;
  const remedy = isDoomed
    ? `It is about to be deleted. Use it again (${restore}, then deploy with ${use}), or delete it now: aws secretsmanager delete-secret --force-delete-without-recovery --secret-id ${name}`
    : `Deploy with ${use} to use it, or delete it: aws secretsmanager delete-secret --force-delete-without-recovery --secret-id ${name}`;
  return { problems: [`The name of the secret ${name} is taken, by a secret that is not the stack's. ${remedy}`] };
}

export async function checkTable({ aws, config, stackName, stack }: Subject): Promise<Partial<Findings>> {
  const { table } = config.existing;
  if (table !== undefined) return checkExistingTable(table, aws, config);
  const used = stack?.outputs.TableName;
  if (used !== undefined && !(await hasResource(stackName, 'Table', aws))) {
    const way = `--existing-table ${used}`;
    return {
      problems: [
        `The service uses the table ${used}, which is not the stack's. Without ${way}, it would get a new and empty one.`,
      ],
    };
  }
  if (stack) return {};
  const prefix = `${stackName}-Table`;
  const kept = (await tableNames(aws)).filter((name) => name.startsWith(prefix));
  if (kept.length === 0) return {};
  return {
    notices: [
      `There is a table of an earlier stack: ${kept.join(', ')}. The new stack does not use it without --existing-table (docs/restoring.md).`,
    ],
  };
}

async function tableNames({ dynamoDb }: Aws): Promise<string[]> {
  const names: string[] = [];
  let ExclusiveStartTableName: string | undefined;
  do {
    const page = await dynamoDb.send(new ListTablesCommand({ ExclusiveStartTableName }));
    names.push(...(page.TableNames ?? []));
    ExclusiveStartTableName = page.LastEvaluatedTableName;
  } while (ExclusiveStartTableName !== undefined);
  return names;
}

async function checkExistingTable(name: string, { dynamoDb }: Aws, config: Config): Promise<Partial<Findings>> {
  const input = { TableName: name };
  const found = await unlessMissing(dynamoDb.send(new DescribeTableCommand(input)), 'ResourceNotFoundException');
  const table = found?.Table;
  if (!table) return { problems: [`There is no table ${name} (setting existingTable) in this account and region.`] };
  const problems: string[] = [];
  if (table.TableStatus !== 'ACTIVE')
    problems.push(`The table ${name} is ${table.TableStatus}, not ACTIVE. Wait until it is.`);
  const keys = (table.KeySchema ?? []).map(({ AttributeName }) => AttributeName).join(', ');
  if (keys !== 'pk, sk')
    problems.push(`The table ${name} is not a table of this service: its keys are ${keys}, not pk, sk.`);
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName);
  const missing = ['gsi1', 'gsi2'].filter((index) => !indexes.includes(index));
  if (missing.length > 0) problems.push(`The table ${name} lacks the indexes ${missing.join(', ')}.`);
  const [{ TimeToLiveDescription }, { ContinuousBackupsDescription }] = await Promise.all([
    dynamoDb.send(new DescribeTimeToLiveCommand(input)),
    dynamoDb.send(new DescribeContinuousBackupsCommand(input)),
  ]);
  const notices = [
    ['time to live', TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') ?? false],
    [
      'recovery to a point in time',
      ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    ],
    ['protection against deletion', table.DeletionProtectionEnabled || !config.deletionProtection],
  ] as const;
  return {
    problems,
    notices: notices
      .filter(([, isSet]) => !isSet)
      .map(([what]) => `The table ${name} has no ${what}: docs/restoring.md says how to set it.`),
  };
}

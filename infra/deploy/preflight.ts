import { GetDomainNameCommand } from '@aws-sdk/client-apigatewayv2';
import { DescribeTableCommand, paginateListTables } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describeAwsFailure, isDenied } from '#shared/aws/failures.ts';
import { readStack, type StackState } from '#shared/aws/stack.ts';
import { lazy } from '#shared/base/cache.ts';
import { stackNameOf } from '#shared/operations/stage.ts';
import { type Config, configFrom, settingsOf } from '../config.ts';
import { dashed, type SettingName, type Settings, settingNames } from '../settings.ts';
import { type Aws, noRegion, readTemplate, regionOf, type Template } from './deployed-stack.ts';

/** What a look at the account found out before a deployment. */
interface Findings {
  /** What would make the deployment fail, or have an unintended effect. */
  problems: string[];
  /** What to know. */
  notices: string[];
}

/** What is about to be deployed, and where. */
interface Subject {
  /** The settings that are given. */
  settings: Settings;
  /** The configuration that they make, with the defaults of the others. */
  config: Config;
  aws: Aws;
  region: string;
  account: string;
  stackName: string;
  stack: () => Promise<StackState | undefined>;
  /** The template of the last deployment, if it left anything. */
  template: () => Promise<Template | undefined>;
}

type Says = Partial<Record<'problem' | 'notice', string>>;

const problem = (text: string): Says => ({ problem: text });

type Check = (subject: Subject) => Promise<Says[] | Says | undefined>;

const checks: readonly [what: string, check: Check][] = [
  ['the stack', checkStack],
  ['the settings of the stack', checkForgotten],
  ['whether the account is prepared for the CDK', checkBootstrap],
  ["the quota of Lambda's concurrency", checkQuota],
  ['the secret', checkSecret],
  ['the table', checkTable],
  ['the domain', checkDomain],
];

/** Looks at everything that a deployment needs, changes nothing, and names all that is wrong at once. */
export async function preflight(settings: Settings, aws: Aws): Promise<Findings> {
  const region = await regionOf(aws);
  let account: string;
  try {
    // Without a region, only missing credentials show.
    if (region === undefined) await aws.sts.config.credentials();
    if (region === undefined) return unseen(noRegion);
    account = String((await aws.sts.send(new GetCallerIdentityCommand({}))).Account);
  } catch (error) {
    return unseen(...(region === undefined ? [noRegion] : []), describeAwsFailure(error));
  }
  const config = configFrom(settings);
  const stackName = stackNameOf(config.stage);
  // Several checks need them.
  const stack = lazy(() => readStack(stackName, aws.cloudFormation));
  const template = lazy(async () => {
    // The check of the stack says that it may not be read. A first deployment that failed leaves nothing.
    const status = (await stack().catch(() => undefined))?.status ?? 'ROLLBACK_COMPLETE';
    return status === 'ROLLBACK_COMPLETE' ? undefined : readTemplate(stackName, aws);
  });
  const subject: Subject = { settings, config, aws, region, account, stackName, stack, template };
  const said = (await Promise.all(checks.map(([what, check]) => run(what, check, subject)))).flat();
  const checked = `Checked: account ${account}, region ${region}, stack ${stackName}.`;
  return {
    problems: said.flatMap((one) => one.problem ?? []),
    notices: [checked, ...said.flatMap((one) => one.notice ?? [])],
  };
}

const unseen = (...problems: string[]): Findings => ({ problems, notices: ['The account was not looked at.'] });

/** What may not be read does not stop a deployment: its roles have rights of their own. */
async function run(what: string, check: Check, subject: Subject): Promise<Says[] | Says> {
  try {
    return (await check(subject)) ?? [];
  } catch (error) {
    const failure = describeAwsFailure(error);
    if (isDenied(error)) return { notice: `Not checked: ${what}. ${failure}` };
    return problem(`AWS was asked about ${what}, and failed: ${failure}`);
  }
}

/** Resolves to undefined if AWS says that what was asked for does not exist. */
async function unlessMissing<T>(call: Promise<T>, code: string): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && error.name === code) return undefined;
    throw error;
  }
}

async function checkStack({ stackName, stack, config: { stage } }: Subject): Promise<Says | undefined> {
  const { status = '', isProtected } = (await stack()) ?? {};
  if (status.endsWith('_IN_PROGRESS')) return problem(`The stack ${stackName} is being changed (${status}). Wait.`);
  const stuck = (remedy: string) =>
    problem(`The stack ${stackName} is stuck (${status}). Look at its events, then run: ${remedy}`);
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return stuck(`aws cloudformation continue-update-rollback --stack-name ${stackName}`);
  }
  // The CDK deletes what is left of a first deployment that failed, unless the stack is protected.
  const isLeft =
    ['ROLLBACK_FAILED', 'DELETE_FAILED'].includes(status) || (status === 'ROLLBACK_COMPLETE' && isProtected);
  return isLeft ? stuck(`./messaging destroy --stage ${stage}`) : undefined;
}

/** They replace each other. */
const addressSettings: readonly SettingName[] = ['domainName', 'certificateArn', 'baseUrl'];

/**
 * Settings apply to one deployment, so they are easily forgotten. What the last deployment had may only change if its
 * setting is given.
 */
async function checkForgotten({ settings, config, template }: Subject): Promise<Says[]> {
  const deployed = (await template())?.Metadata?.Settings ?? {};
  const planned = settingsOf(config);
  const hasAddress = addressSettings.some((name) => settings[name] !== undefined);
  return settingNames.flatMap((name): Says[] => {
    const [before, after] = [deployed[name], planned[name]];
    if (before === undefined || before === after) return [];
    const changes = `The setting ${name} changes from ${before} to ${after ?? 'unset'}.`;
    if (hasAddress && addressSettings.includes(name)) return [{ notice: changes }];
    if (settings[name] !== undefined) return [];
    const confirm = after === undefined ? '' : ` To change it, give ${dashed(name)} ${after}.`;
    return [problem(`${changes} To keep it, give ${dashed(name)} ${before}.${confirm}`)];
  });
}

/** The version of the bootstrap stack that the CDK's synthesizer asks for. */
const requiredBootstrap = 6;

async function checkBootstrap({ aws, account, region }: Subject): Promise<Says | undefined> {
  const Name = '/cdk-bootstrap/hnb659fds/version';
  const found = await unlessMissing(aws.ssm.send(new GetParameterCommand({ Name })), 'ParameterNotFound');
  const version = Number(found?.Parameter?.Value ?? 0);
  if (version >= requiredBootstrap) return undefined;
  const what = found
    ? `The CDK's bootstrap stack is of version ${version}, and ${requiredBootstrap} is needed. Run`
    : `The account is not prepared for the CDK in ${region}. Run once`;
  return problem(`${what}: npx cdk bootstrap aws://${account}/${region}`);
}

/** AWS leaves so many executions to functions without a reservation. */
const unreservedMin = 100;

async function checkQuota({ aws, config, template }: Subject): Promise<Says | undefined> {
  if (!config.reservesConcurrency) return undefined;
  const { AccountLimit } = await aws.lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
  // A deployment replaces what an earlier one has reserved.
  const held = Object.values((await template())?.Resources ?? {}).reduce(
    (sum, resource) => sum + (resource?.Properties?.ReservedConcurrentExecutions ?? 0),
    0,
  );
  const reserved = reservedConcurrency(config);
  const available = Math.max(0, unreserved + held - unreservedMin);
  if (reserved <= available) return undefined;
  const wanted = Math.max(1000, quota - unreserved - held + reserved + unreservedMin);
  const what = `The stage reserves ${reserved} concurrent executions, and the account can reserve only ${available} of ${quota}`;
  const request = 'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384';
  return problem(
    `${what}. Deploy with --reserved-concurrency off, or request more: ${request} --desired-value ${wanted}`,
  );
}

/** The sum of the executions that the functions of a stage reserve. */
export function reservedConcurrency({ limits }: Pick<Config, 'limits'>): number {
  return Object.values(limits).reduce((sum, limit) => sum + ('concurrency' in limit ? (limit.concurrency ?? 0) : 0), 0);
}

async function checkSecret({ aws, config, template }: Subject): Promise<Says | undefined> {
  const name = config.secretNames.upstream;
  const command = new DescribeSecretCommand({ SecretId: name });
  const found = await unlessMissing(aws.secretsManager.send(command), 'ResourceNotFoundException');
  const isExisting = config.existing.secret !== undefined;
  if (isExisting && !found) return problem(`There is no secret ${name} (existingSecret) in this account and region.`);
  const deployed = await template();
  const isOwn = deployed !== undefined && deployed.Metadata?.Settings?.existingSecret === undefined;
  if (found?.DeletedDate) {
    const use = isOwn ? 'keep it' : `use it with --existing-secret ${name}`;
    return problem(
      `The secret ${name} is to be deleted. To ${use}: aws secretsmanager restore-secret --secret-id ${name}`,
    );
  }
  if (isExisting || isOwn || !found) return undefined;
  const remove = `aws secretsmanager delete-secret --force-delete-without-recovery --secret-id ${name}`;
  return problem(
    `The name of the secret ${name} is taken. Use it with --existing-secret ${name}, or delete it: ${remove}`,
  );
}

async function checkTable({ aws, config, stackName, stack }: Subject): Promise<Says | undefined> {
  const { table } = config.existing;
  if (table !== undefined) return checkExistingTable(table, aws);
  if (await stack()) return undefined;
  const names: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: aws.dynamoDb }, {})) names.push(...TableNames);
  const kept = names.filter((name) => name.startsWith(`${stackName}-Table`));
  const use = 'The new stack uses it only with --existing-table (docs/restoring.md)';
  return kept.length === 0
    ? undefined
    : { notice: `There is a table of an earlier stack: ${kept.join(', ')}. ${use}.` };
}

async function checkExistingTable(TableName: string, { dynamoDb }: Aws): Promise<Says | undefined> {
  const command = new DescribeTableCommand({ TableName });
  const table = (await unlessMissing(dynamoDb.send(command), 'ResourceNotFoundException'))?.Table;
  if (!table) return problem(`There is no table ${TableName} (existingTable) in this account and region.`);
  if (table.TableStatus !== 'ACTIVE') return problem(`The table ${TableName} is ${table.TableStatus}. Wait.`);
  const keys = table.KeySchema?.map(({ AttributeName }) => AttributeName).join();
  const indexes = table.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? [];
  if (keys === 'pk,sk' && indexes.includes('gsi1') && indexes.includes('gsi2')) return undefined;
  return problem(`The table ${TableName} is not a table of this service: it lacks pk, sk, gsi1 or gsi2.`);
}

async function checkDomain({ aws, config: { domain }, template }: Subject): Promise<Says | undefined> {
  if (!domain || (await template())?.Metadata?.Settings?.domainName === domain.name) return undefined;
  const command = new GetDomainNameCommand({ DomainName: domain.name });
  if (!(await unlessMissing(aws.apiGateway.send(command), 'NotFoundException'))) return undefined;
  const remedy = `Delete it, or map it to the API yourself and deploy with --base-url https://${domain.name} instead.`;
  return problem(`API Gateway has the custom domain ${domain.name} already, and it is not the stack's. ${remedy}`);
}

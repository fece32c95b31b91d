import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describeAwsFailure, isDenied } from '#shared/adapters/aws-sdk/failures.ts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { configFrom } from '../config.ts';
import type { Settings } from '../settings.ts';
import type { Aws } from './aws.ts';
import { checkBootstrap, checkConcurrency, checkStack } from './check-account.ts';
import { checkSecret, checkTable } from './check-data.ts';
import { checkCertificate, checkCertificateRegion, checkDomain } from './check-domain.ts';
import { checkTemplateSettings } from './check-settings.ts';
import type { Environment } from './chosen-settings.ts';
import { describeCredentials } from './credentials.ts';
import type { Findings, Subject } from './findings.ts';
import { readStackState } from './stack-state.ts';

interface Check {
  subject: string;
  /** What it needs to be allowed, if anything. */
  right?: string;
  check: (subject: Subject) => Promise<Partial<Findings>>;
  /** Whether it is about the account, whatever the stage. */
  isOfAccount?: true;
}

const checks: readonly Check[] = [
  { subject: 'the stack', right: 'cloudformation:DescribeStacks', check: checkStack },
  { subject: 'the settings of the stack', right: 'cloudformation:GetTemplate', check: checkTemplateSettings },
  {
    subject: 'whether the account is prepared for the CDK',
    right: 'ssm:GetParameter',
    check: checkBootstrap,
    isOfAccount: true,
  },
  {
    subject: "the quota of Lambda's concurrency",
    right: 'lambda:GetAccountSettings, cloudformation:ListStackResources or GetTemplate',
    check: checkConcurrency,
  },
  { subject: 'the secret', right: 'secretsmanager:DescribeSecret', check: checkSecret },
  {
    subject: 'the table',
    right: 'dynamodb:DescribeTable, ListTables, DescribeTimeToLive and DescribeContinuousBackups',
    check: checkTable,
  },
  { subject: 'the region of the certificate', check: checkCertificateRegion },
  { subject: 'the certificate', right: 'acm:DescribeCertificate', check: checkCertificate },
  { subject: 'the domain', right: 'apigateway:GET', check: checkDomain },
];

/**
 * Looks at everything that a deployment needs, changes nothing, and names all that is wrong at once. Without a
 * stage, this is only what concerns the whole account.
 */
export async function preflight(settings: Settings, aws: Aws, environment: Environment): Promise<Findings> {
  const config = configFrom(settings);
  const hasStage = settings.stage !== undefined;
  const region = await regionOf(aws);
  if (region === undefined) return unseen(noRegion, ...(await missingCredentials(aws, environment)));
  let account: string;
  try {
    account = String((await aws.sts.send(new GetCallerIdentityCommand({}))).Account);
  } catch (error) {
    return unseen(describeCredentials(error, environment));
  }
  const stackName = stackNameOf(config.stage);
  // The check of the stack says that it may not be read.
  const stack = await readStackState(stackName, aws).catch(() => undefined);
  const subject: Subject = { settings, config, aws, region, account, stackName, stack };
  const found = await Promise.all(
    checks.filter(({ isOfAccount }) => hasStage || isOfAccount).map((each) => run(each, subject)),
  );
  const place = hasStage
    ? `account ${account}, region ${region}, stack ${stackName}`
    : `account ${account}, region ${region}`;
  return {
    problems: found.flatMap(({ problems = [] }) => problems),
    notices: [`Checked: ${place}.`, ...found.flatMap(({ notices = [] }) => notices)],
  };
}

export const noRegion = 'No AWS region is configured. Set AWS_REGION, such as AWS_REGION=eu-west-1.';

const unseen = (...problems: string[]): Findings => ({ problems, notices: ['The account was not looked at.'] });

/** What is wrong with the credentials, as far as that shows without a region. */
async function missingCredentials({ sts }: Aws, environment: Environment): Promise<string[]> {
  try {
    await sts.config.credentials();
    return [];
  } catch (error) {
    return [describeCredentials(error, environment)];
  }
}

/** The region that AWS's tools find. */
export async function regionOf({ sts }: Aws): Promise<string | undefined> {
  try {
    return await sts.config.region();
  } catch {
    return undefined;
  }
}

/** What may not be read does not stop a deployment: its roles have rights of their own. */
async function run({ subject, right, check }: Check, of: Subject): Promise<Partial<Findings>> {
  try {
    return await check(of);
  } catch (error) {
    if (isDenied(error)) return { notices: [`Not checked: ${subject}. These credentials lack ${right}.`] };
    return { problems: [`AWS was asked about ${subject}, and failed: ${describeAwsFailure(error)}`] };
  }
}

import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { Config } from '../config.ts';
import { type Aws, unlessMissing } from './aws.ts';
import { checkSettings, hasSettings } from './check-settings.ts';
import type { Findings, Subject } from './findings.ts';
import { listResources, readStackState, type StackResource, type StackState } from './stack-state.ts';

export async function checkStack({ aws, stackName, stack, settings, config }: Subject): Promise<Partial<Findings>> {
  // Reports that the stack may not be read.
  if (!stack) await readStackState(stackName, aws);
  if (!stack) return {};
  const { status } = stack;
  if (status.endsWith('_IN_PROGRESS')) {
    return { problems: [`The stack ${stackName} is being changed (${status}). Wait until that has ended.`] };
  }
  const remedy = remedyFor(stack, config.stage, stackName);
  if (remedy !== undefined) {
    return { problems: [`The stack ${stackName} is stuck (${status}). Look at its events, then run: ${remedy}`] };
  }
  return hasSettings(stack) ? checkSettings(stack, settings, config) : {};
}

/** The command that gets a stack out of a state that a deployment cannot leave. */
function remedyFor({ status, isProtected }: StackState, stage: string, stackName: string): string | undefined {
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return `aws cloudformation continue-update-rollback --stack-name ${stackName}`;
  }
  // The CDK deletes what is left of a first deployment that failed, unless the stack is protected.
  const isStuck =
    ['ROLLBACK_FAILED', 'DELETE_FAILED'].includes(status) || (status === 'ROLLBACK_COMPLETE' && isProtected);
  return isStuck ? `./messaging destroy --stage ${stage}` : undefined;
}

/** The version of the bootstrap stack that the CDK's synthesizer asks for. */
const requiredBootstrap = 6;

export async function checkBootstrap({ aws, account, region }: Subject): Promise<Partial<Findings>> {
  const Name = '/cdk-bootstrap/hnb659fds/version';
  const found = await unlessMissing(aws.ssm.send(new GetParameterCommand({ Name })), 'ParameterNotFound');
  const version = Number(found?.Parameter?.Value ?? Number.NaN);
  if (version >= requiredBootstrap) return {};
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  if (found)
    return {
      problems: [
        `The CDK's bootstrap stack is of version ${version}, and ${requiredBootstrap} is needed. Run: ${command}`,
      ],
    };
  const toolkit = await toolkitStatus(aws);
  const reason = toolkit === undefined ? '' : ` (its stack CDKToolkit is ${toolkit})`;
  return { problems: [`The account is not prepared for the CDK in ${region}${reason}. Run once: ${command}`] };
}

async function toolkitStatus({ cloudFormation }: Aws): Promise<string | undefined> {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'CDKToolkit' }));
    return Stacks?.[0]?.StackStatus;
  } catch {
    return undefined;
  }
}

/** AWS leaves so many executions to functions without a reservation. */
const unreservedMin = 100;

export async function checkConcurrency({ aws, config, stackName }: Subject): Promise<Partial<Findings>> {
  if (!config.reservesConcurrency) return {};
  const { AccountLimit } = await aws.lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
  const reserved = reservedConcurrency(config);
  if (reserved + unreservedMin <= unreserved) return {};
  // A deployment replaces what an earlier one has reserved.
  const held = sumOf(await listResources(stackName, aws));
  const available = Math.max(0, unreserved + held - unreservedMin);
  if (reserved <= available) return {};
  const others = quota - unreserved - held;
  const ofOthers = others > 0 ? `, of which others have reserved ${others}` : '';
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${Math.max(1000, others + reserved + unreservedMin)}`;
  return {
    problems: [
      `The stage reserves ${reserved} concurrent executions, and the account can reserve only ${available} (its quota is ${quota}${ofOthers}). Deploy with --reserved-concurrency off, or request more: ${request}`,
    ],
  };
}

const sumOf = (resources: readonly StackResource[]) =>
  resources.reduce((sum, { reservedConcurrency: each }) => sum + each, 0);

/** The sum of the executions that the functions of a stage reserve. */
export function reservedConcurrency({ limits }: Pick<Config, 'limits'>): number {
  return Object.values(limits).reduce((sum, limit) => sum + ('concurrency' in limit ? (limit.concurrency ?? 0) : 0), 0);
}

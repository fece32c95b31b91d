import { stackNameOf } from '#shared/runtime/stage.ts';
import { configFrom } from '../config.ts';
import type { Settings } from '../settings.ts';
import { openAws } from './aws.ts';
import { chosenSettings, contextWords, type Environment, listed } from './chosen-settings.ts';
import { nextSteps } from './next-steps.ts';
import { preflight, regionOf } from './preflight.ts';
import { readStackState } from './stack-state.ts';
import type { Terminal } from './terminal.ts';

export interface Approval {
  dryRun?: boolean;
  yes?: boolean;
}

/** Returns the exit code: 0 deployed, 1 not deployed, 2 if the settings are wrong and nothing else. */
export async function deploy(
  typed: Readonly<Record<string, string>>,
  { dryRun, yes }: Approval,
  environment: Environment,
  { print, printError, runCdk }: Omit<Terminal, 'ask'>,
): Promise<number> {
  const chosen = chosenSettings(typed, environment);
  const { settings } = chosen;
  // The AWS SDK does not read this variable, and the CDK does.
  const aws = openAws(environment.AWS_REGION || environment.AWS_DEFAULT_REGION || undefined);
  const config = configFrom(settings);
  const { problems: ofAccount, notices } = await preflight(settings, aws, environment);
  for (const notice of [...chosen.notices, ...notices]) print(notice);
  const problems = [...chosen.problems, ...forSam(settings), ...ofAccount];
  if (problems.length > 0) {
    printError(`Nothing was deployed:\n${listed(problems)}`);
    return ofAccount.length > 0 ? 1 : 2;
  }
  if (dryRun) {
    print('Nothing is wrong. Nothing was deployed, because of --dry-run.');
    return 0;
  }
  const stackName = stackNameOf(config.stage);
  const approval = yes ? ['--require-approval', 'never'] : [];
  const region = await regionOf(aws);
  const code = await runCdk(['deploy', stackName, ...contextWords(settings), ...approval], {
    ...(region !== undefined && { AWS_REGION: region }),
  });
  if (code !== 0) {
    printError(
      `cdk deploy failed with exit code ${code}. CloudFormation goes back to the state before; its reasons are in:\n` +
        `  aws cloudformation describe-stack-events --stack-name ${stackName} --query "StackEvents[?contains(ResourceStatus,'FAILED')].[LogicalResourceId,ResourceStatusReason]"`,
    );
    return 1;
  }
  // Who may deploy need not be allowed to read the stack; then the CDK's command line has shown the outputs.
  const stack = await readStackState(stackName, aws).catch(() => undefined);
  print(nextSteps(config, stack?.outputs ?? {}));
  return 0;
}

const forSam = ({ samLocal }: Settings): string[] =>
  samLocal === 'true'
    ? ['The setting samLocal is for npm run synth: functions with it would look for AWS in the local world.']
    : [];

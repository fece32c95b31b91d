import { readStack } from '#shared/aws/stack.ts';
import { type OutputName, outputNames, stackNameOf } from '#shared/operations/stage.ts';
import { type Config, configFrom } from '../config.ts';
import { chosenSettings, contextWords } from '../settings.ts';
import { type Environment, openAws, regionOf } from './deployed-stack.ts';
import type { Terminal } from './deployment-terminal.ts';
import { preflight } from './preflight.ts';

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
  const { settings, problems } = chosenSettings(typed);
  if (settings.samLocal === 'true') {
    problems.push('The setting samLocal is for npm run synth only.');
  }
  const aws = openAws(environment);
  // Without a stage, there is no stack to look up.
  const found = settings.stage === undefined ? { notices: [], problems: [] } : await preflight(settings, aws);
  for (const notice of found.notices) print(notice);
  if (problems.length + found.problems.length > 0) {
    printError(`Nothing was deployed:\n${bulletList([...problems, ...found.problems])}`);
    return found.problems.length > 0 ? 1 : 2;
  }
  if (dryRun) {
    print('Nothing is wrong. Nothing was deployed, because of --dry-run.');
    return 0;
  }
  const config = configFrom(settings);
  const stackName = stackNameOf(config.stage);
  const approval = yes ? ['--require-approval', 'never'] : [];
  const code = await runCdk(['deploy', stackName, ...contextWords(settings), ...approval], {
    AWS_REGION: String(await regionOf(aws)),
  });
  if (code !== 0) {
    const query = `"StackEvents[?contains(ResourceStatus,'FAILED')].[LogicalResourceId,ResourceStatusReason]"`;
    printError(
      `cdk deploy failed with exit code ${code}. To see why:\n  aws cloudformation describe-stack-events --stack-name ${stackName} --query ${query}`,
    );
    return 1;
  }
  // Who may deploy need not be allowed to read the stack; then the CDK's command line has shown the outputs.
  const stack = await readStack(stackName, aws.cloudFormation).catch(() => undefined);
  print(nextSteps(config, stack?.outputs ?? {}));
  return 0;
}

/** What is wrong, a line for each. */
export const bulletList = (problems: readonly string[]): string => problems.map((problem) => `- ${problem}`).join('\n');

/** What a deployment made, and the commands that come next. */
function nextSteps({ stage, domain }: Config, outputs: Readonly<Record<string, string>>): string {
  const value = (name: OutputName) => outputs[name] ?? `the output ${name}`;
  const width = Math.max(...outputNames.map((name) => name.length));
  const found = outputNames.filter((name) => outputs[name] !== undefined);
  const table = found.map((name) => `  ${name.padEnd(width)}  ${outputs[name]}`).join('\n');
  const dns = domain
    ? `Point your DNS at the API, by a CNAME (or an alias) of ${domain.name}:\n  ${domain.name}  CNAME  ${value('DomainTarget')}\n\n`
    : '';
  return `
The stage ${stage} is deployed:
${table}

${dns}Store the credentials of the WhatsApp Cloud API, if they are not stored yet (docs/deploying.md):
  ./messaging upstream set --stage ${stage}

Then:
  ./messaging smoke --stage ${stage}
  ./messaging doctor --stage ${stage}

docs/first-number.md leads from here to the first message. At Meta, the callback URL is
${value('BaseUrl')}/v2/messaging/events, which "connect" enters for you.`;
}

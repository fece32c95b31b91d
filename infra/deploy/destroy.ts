import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { type Aws, openAws } from './aws.ts';
import { chosenSettings, contextWords, type Environment, listed } from './chosen-settings.ts';
import { describeCredentials } from './credentials.ts';
import type { Approval } from './deploy.ts';
import { type FoundStack, keptCommands, usedByIt } from './kept.ts';
import { noRegion, regionOf } from './preflight.ts';
import { listResources, readStackState } from './stack-state.ts';
import type { Terminal } from './terminal.ts';
import { findWorkspaceSecrets, type WorkspaceSecrets } from './workspace-secrets.ts';

/** Returns the exit code: 0 destroyed, 1 not destroyed, 2 if the settings are wrong. */
export async function destroy(
  typed: Readonly<Record<string, string>>,
  { dryRun, yes }: Approval,
  environment: Environment,
  shell: Terminal,
): Promise<number> {
  const { settings, problems, notices } = chosenSettings(typed, environment);
  if (problems.length > 0) {
    shell.printError(`Nothing was removed:\n${listed(problems)}`);
    return 2;
  }
  const stage = String(settings.stage);
  const stackName = stackNameOf(stage);
  const aws = openAws(environment.AWS_REGION || environment.AWS_DEFAULT_REGION || undefined);
  const region = await regionOf(aws);
  if (region === undefined) {
    shell.printError(noRegion);
    return 1;
  }
  try {
    const stack = await readStackState(stackName, aws);
    if (!stack) {
      shell.printError(`There is no stack ${stackName} in ${region}. Check --stage, AWS_REGION and AWS_PROFILE.`);
      return 1;
    }
    const { Account } = await aws.sts.send(new GetCallerIdentityCommand({}));
    const found: FoundStack = {
      ...stack,
      stage,
      name: stackName,
      resources: await listResources(stackName, aws),
      secrets: await findWorkspaceSecrets(settings, stack.outputs.UpstreamSecretName, aws),
    };
    for (const notice of notices) shell.print(notice);
    shell.print(`Account ${Account}, region ${region}.\n${plan(found)}`);
    if (dryRun) {
      shell.print('Nothing was removed, because of --dry-run.');
      return 0;
    }
    if (!yes && !(await confirms(stage, shell))) {
      shell.printError('Nothing was removed.');
      return 1;
    }
    return await remove(found, contextWords(settings), aws, region, shell);
  } catch (error) {
    shell.printError(describeCredentials(error, environment));
    return 1;
  }
}

function plan(found: FoundStack): string {
  const { name, isProtected, status, resources, secrets } = found;
  const [kept, removed] = [resources.filter(({ isKept }) => isKept), resources.filter(({ isKept }) => !isKept)];
  const counts = Object.entries(Object.groupBy(removed, ({ type }) => type)).map(
    ([type, members = []]) => `  ${String(members.length).padStart(4)}  ${type}`,
  );
  const used = usedByIt(found);
  const data = removed.filter(({ type }) => dataTypes.includes(type));
  return [
    `The stack ${name} (${status}) has ${resources.length} resources.`,
    `Removed are ${removed.length}:\n${counts.sort().join('\n')}`,
    data.length > 0
      ? `WITH ALL THEIR DATA:\n${data.map(({ physicalId, type }) => `  ${type}  ${physicalId}`).join('\n')}`
      : '',
    kept.length > 0
      ? `Kept are ${kept.length}, which go on to cost what they store:\n${kept.map(({ physicalId, type }) => `  ${type}  ${physicalId}`).join('\n')}`
      : 'Nothing of the stack is kept.',
    used.length > 0
      ? `Not of the stack, which only uses it, and kept:\n${used.map((each) => `  ${each}`).join('\n')}`
      : '',
    describeSecrets(secrets),
    isProtected ? 'The stack is protected against deletion; the protection is switched off first.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function describeSecrets({ prefixes, names }: WorkspaceSecrets): string {
  if (names === undefined)
    return `Not of the stack, and kept: the secrets of workspaces, ${prefixes.join('… and ')}…. These credentials lack secretsmanager:ListSecrets to name them.`;
  if (names.length === 0) return 'No workspace has a secret of its own.';
  return `Not of the stack, and kept: the secrets of workspaces, with credentials and Flow keys:\n${names.map((name) => `  ${name}`).join('\n')}`;
}

const bucketType = 'AWS::S3::Bucket';
const dataTypes = ['AWS::DynamoDB::GlobalTable', bucketType, 'AWS::SecretsManager::Secret', 'AWS::SQS::Queue'];

async function confirms(stage: string, { ask, printError }: Terminal): Promise<boolean> {
  const answer = await ask(`To remove it, enter the name of the stage (${stage}): `);
  if (answer === undefined) printError('There is no terminal to ask. Give --yes to remove it without a question.');
  return answer?.trim() === stage;
}

async function remove(
  found: FoundStack,
  context: readonly string[],
  aws: Aws,
  region: string,
  { print, printError, runCdk }: Terminal,
): Promise<number> {
  const { name: stackName, isProtected, resources } = found;
  const protect = (EnableTerminationProtection: boolean) =>
    aws.cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection }),
    );
  /** What could not be deleted is protected as before. */
  async function restoreProtection(): Promise<void> {
    if (!isProtected) return;
    await protect(true).then(
      () => print(`The stack ${stackName} is protected against deletion again.`),
      () => printError(`The stack ${stackName} is not protected against deletion any more. Switch that on again.`),
    );
  }
  if (isProtected) await protect(false);
  try {
    const code = await deleteStack();
    if (code === 0) {
      print(keptCommands(found));
      return 0;
    }
    printError(`cdk destroy failed with exit code ${code}. Run the command again; it does the rest.`);
  } catch (error) {
    await restoreProtection();
    throw error;
  }
  await restoreProtection();
  return 1;

  async function deleteStack(): Promise<number> {
    for (const { type, physicalId, isKept } of resources) {
      // CloudFormation deletes only empty buckets.
      if (type === bucketType && !isKept)
        print(`${await empty(physicalId, aws)} objects of the bucket ${physicalId} were deleted.`);
    }
    return runCdk(['destroy', stackName, '--force', ...context], { AWS_REGION: region });
  }
}

async function empty(bucket: string, { s3 }: Aws): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    if (Contents.length === 0) return deleted;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors[0]) throw new Error(`The object ${Errors[0].Key} cannot be deleted: ${Errors[0].Message}`);
    deleted += Contents.length;
  }
}

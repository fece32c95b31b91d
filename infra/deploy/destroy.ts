import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describeAwsFailure } from '#shared/aws/failures.ts';
import { readStack, type StackState } from '#shared/aws/stack.ts';
import { stackNameOf } from '#shared/operations/stage.ts';
import { configFrom } from '../config.ts';
import { chosenSettings, contextWords, type Settings } from '../settings.ts';
import { type Approval, bulletList } from './deploy.ts';
import {
  type Aws,
  type Environment,
  listResources,
  noRegion,
  openAws,
  regionOf,
  type StackResource,
} from './deployed-stack.ts';
import type { Terminal } from './deployment-terminal.ts';

/** A stack that is about to be removed, with what belongs to it. */
interface FoundStack extends StackState {
  stage: string;
  name: string;
  resources: readonly StackResource[];
  /** How the names of the secrets of workspaces begin. They do not belong to the stack. */
  secrets: readonly string[];
}

/** Returns the exit code: 0 destroyed, 1 not destroyed, 2 if the settings are wrong. */
export async function destroy(
  typed: Readonly<Record<string, string>>,
  { dryRun, yes }: Approval,
  environment: Environment,
  shell: Terminal,
): Promise<number> {
  const { settings, problems } = chosenSettings(typed);
  if (problems.length > 0) {
    shell.printError(`Nothing was removed:\n${bulletList(problems)}`);
    return 2;
  }
  const stage = String(settings.stage);
  const name = stackNameOf(stage);
  const aws = openAws(environment);
  const region = await regionOf(aws);
  if (region === undefined) {
    shell.printError(noRegion);
    return 1;
  }
  try {
    const stack = await readStack(name, aws.cloudFormation);
    if (!stack) {
      shell.printError(`There is no stack ${name} in ${region}. Check --stage, AWS_REGION and AWS_PROFILE.`);
      return 1;
    }
    const { Account } = await aws.sts.send(new GetCallerIdentityCommand({}));
    const resources = await listResources(name, aws);
    const secrets = secretPrefixes(settings, stack.outputs.UpstreamSecretName);
    const found: FoundStack = { ...stack, stage, name, resources, secrets };
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
    shell.printError(describeAwsFailure(error));
    return 1;
  }
}

/** How the names of the secrets begin that the service and the command line made for workspaces, beside the stack. */
function secretPrefixes(settings: Settings, upstreamSecret: string | undefined): string[] {
  const existing = upstreamSecret === undefined ? {} : { existingSecret: upstreamSecret };
  const { flowKeys, ownCredentials } = configFrom({ ...settings, ...existing }).secretNames;
  return [ownCredentials, flowKeys];
}

const bucketType = 'AWS::S3::Bucket';
const dataTypes = ['AWS::DynamoDB::GlobalTable', bucketType, 'AWS::SecretsManager::Secret', 'AWS::SQS::Queue'];

/** A heading with a line for each, or nothing. */
const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${heading}\n${lines.map((line) => `  ${line}`).join('\n')}`];

function plan(found: FoundStack): string {
  const { name, isProtected, status, resources, secrets } = found;
  const [kept, removed] = [resources.filter(({ isKept }) => isKept), resources.filter(({ isKept }) => !isKept)];
  const counts = [...Map.groupBy(removed, ({ type }) => type)].map(
    ([type, members]) => `${String(members.length).padStart(4)}  ${type}`,
  );
  const shown = (some: readonly StackResource[]) => some.map(({ physicalId, type }) => `${type}  ${physicalId}`);
  return [
    `The stack ${name} (${status}) has ${resources.length} resources.`,
    ...section(`Resources that are removed: ${removed.length}`, counts.sort()),
    ...section('WITH ALL THEIR DATA:', shown(removed.filter(({ type }) => dataTypes.includes(type)))),
    ...section(`Resources that are kept and continue to incur charges: ${kept.length}`, shown(kept)),
    ...section('Kept, because the stack only uses it:', usedByIt(found)),
    ...section('The secrets of workspaces are kept. Their names begin with:', secrets),
    ...(isProtected ? ['The stack is protected against deletion; the protection is switched off first.'] : []),
  ].join('\n');
}

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
  const { name: StackName, isProtected, resources } = found;
  const protect = (EnableTerminationProtection: boolean) =>
    aws.cloudFormation.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }));
  let isGone = false;
  if (isProtected) await protect(false);
  try {
    for (const { type, physicalId, isKept } of resources) {
      // CloudFormation deletes only empty buckets.
      if (type !== bucketType || isKept) continue;
      print(`${await empty(physicalId, aws)} objects of the bucket ${physicalId} were deleted.`);
    }
    const code = await runCdk(['destroy', StackName, '--force', ...context], { AWS_REGION: region });
    isGone = code === 0;
    if (isGone) print(keptCommands(found));
    else printError(`cdk destroy failed with exit code ${code}. Run the command again; it does the rest.`);
  } finally {
    // What could not be deleted is protected as before.
    if (isProtected && !isGone) {
      await protect(true).then(
        () => print(`The stack ${StackName} is protected against deletion again.`),
        () => printError(`The stack ${StackName} is not protected against deletion any more. Switch that on again.`),
      );
    }
  }
  return isGone ? 0 : 1;
}

async function empty(bucket: string, { s3 }: Aws): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    if (Contents.length === 0) return deleted;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await s3.send(command);
    if (Errors[0]) throw new Error(`The object ${Errors[0].Key} cannot be deleted: ${Errors[0].Message}`);
    deleted += Contents.length;
  }
}

const deleteSecret = (id: string) => `aws secretsmanager delete-secret --recovery-window-in-days 30 --secret-id ${id}`;

const listSecrets = (prefix: string) =>
  `aws secretsmanager list-secrets --query 'SecretList[].Name' --filters Key=name,Values=${prefix}`;

/** The commands that delete what a deleted stack has left, by type. The queues and logs have no further use. */
const deletion: Readonly<Record<string, (id: string) => string[]>> = {
  'AWS::DynamoDB::GlobalTable': (id) => [
    `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled`,
    `aws dynamodb delete-table --table-name ${id}`,
  ],
  'AWS::S3::Bucket': (id) => [`aws s3 rb s3://${id} --force`],
  'AWS::SecretsManager::Secret': (id) => [deleteSecret(id)],
  'AWS::SQS::Queue': (id) => [`aws sqs delete-queue --queue-url ${id}`],
  'AWS::Logs::LogGroup': (id) => [`aws logs delete-log-group --log-group-name ${id}`],
};

/** The table and the secret of a stack, with the settings that give them to a later one. */
const reusable = [
  { logicalId: 'Table', output: 'TableName', setting: '--existing-table' },
  { logicalId: 'UpstreamSecret', output: 'UpstreamSecretName', setting: '--existing-secret' },
] as const;

/** The names of the table and the secret that the stack uses and did not create. */
function usedByIt({ resources, outputs }: FoundStack): string[] {
  return reusable.flatMap(({ logicalId, output }) =>
    resources.some((resource) => resource.logicalId === logicalId) ? [] : (outputs[output] ?? []),
  );
}

/** Says what is left of a deleted stack, how a later stack takes it over, and how to delete it. */
function keptCommands({ name, stage, resources, outputs, secrets }: FoundStack): string {
  const settings = reusable.flatMap(({ logicalId, output, setting }) => {
    const isGone = resources.some((resource) => resource.logicalId === logicalId && !resource.isKept);
    return isGone || outputs[output] === undefined ? [] : [`${setting} ${outputs[output]}`];
  });
  const kept = resources.filter(({ isKept }) => isKept);
  const commands = kept.flatMap(({ type, physicalId }) => deletion[type]?.(physicalId) ?? `# ${type} ${physicalId}`);
  // Beside the secret of another stage, the secrets of workspaces are also those of that stage.
  const areOurs = secrets.every((prefix) => prefix.startsWith(`messaging/${stage}/`));
  const takeOver = ['./messaging deploy', `--stage ${stage}`, ...settings].join(' ');
  return [
    `\nThe stack ${name} is removed.`,
    ...(settings.length === 0
      ? ['Its data was deleted.']
      : section('To use the kept data again (docs/restoring.md), with the other settings of the stage as before:', [
          takeOver,
        ])),
    ...section('\nTo delete what is left for good:', [
      ...commands,
      ...(areOurs ? [...secrets.map(listSecrets), deleteSecret('NAME')] : []),
    ]),
  ].join('\n');
}

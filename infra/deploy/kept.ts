import type { StackResource, StackState } from './stack-state.ts';
import type { WorkspaceSecrets } from './workspace-secrets.ts';

/** A stack that is about to be removed, with what belongs to it and the secrets beside it. */
export interface FoundStack extends StackState {
  stage: string;
  name: string;
  resources: readonly StackResource[];
  secrets: WorkspaceSecrets;
}

const deleteSecret = (id: string) => `aws secretsmanager delete-secret --recovery-window-in-days 30 --secret-id ${id}`;

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
export function usedByIt({ resources, outputs }: FoundStack): string[] {
  return reusable.flatMap(({ logicalId, output }) =>
    resources.some((resource) => resource.logicalId === logicalId) ? [] : (outputs[output] ?? []),
  );
}

/** Says what is left of a deleted stack, how a later stack takes it over, and how to delete it. */
export function keptCommands(found: FoundStack): string {
  const { name, stage, resources, outputs } = found;
  const settings = reusable.flatMap(({ logicalId, output, setting }) => {
    const isGone = resources.some((resource) => resource.logicalId === logicalId && !resource.isKept);
    return isGone || outputs[output] === undefined ? [] : [`${setting} ${outputs[output]}`];
  });
  const takeOver = ['./messaging deploy', `--stage ${stage}`, ...settings].join(' ');
  const commands = [
    ...resources
      .filter(({ isKept }) => isKept)
      .flatMap(({ type, physicalId }) => deletion[type]?.(physicalId) ?? [`# ${type} ${physicalId}`]),
    ...ofSecrets(found),
  ];
  return [
    `\nThe stack ${name} is removed.`,
    settings.length > 0
      ? `To use the kept data again (docs/restoring.md), with the other settings of the stage as before:\n  ${takeOver}`
      : 'With it went its data.',
    commands.length > 0
      ? `\nTo delete what is left for good:\n${commands.map((command) => `  ${command}`).join('\n')}`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Beside the secret of another stage, the secrets of workspaces are also those of that stage. */
function ofSecrets({ stage, secrets: { prefixes, names } }: FoundStack): string[] {
  if (!prefixes.every((prefix) => prefix.startsWith(`messaging/${stage}/`))) return [];
  if (names) return names.map(deleteSecret);
  const list = (prefix: string) =>
    `aws secretsmanager list-secrets --query 'SecretList[].Name' --filters Key=name,Values=${prefix}`;
  return [...prefixes.map(list), deleteSecret('NAME')];
}

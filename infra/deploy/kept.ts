import type { StackResource } from './stack-state.ts';

/** The commands that delete what a deleted stack has left, by type. The queues and logs have no further use. */
const deletion: Readonly<Record<string, (id: string) => string[]>> = {
  'AWS::DynamoDB::GlobalTable': (id) => [
    `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled`,
    `aws dynamodb delete-table --table-name ${id}`,
  ],
  'AWS::S3::Bucket': (id) => [`aws s3 rb s3://${id} --force`],
  'AWS::SecretsManager::Secret': (id) => [
    `aws secretsmanager delete-secret --recovery-window-in-days 30 --secret-id ${id}`,
  ],
  'AWS::SQS::Queue': (id) => [`aws sqs delete-queue --queue-url ${id}`],
  'AWS::Logs::LogGroup': (id) => [`aws logs delete-log-group --log-group-name ${id}`],
};

const taken: Readonly<Record<string, (id: string) => string>> = {
  'AWS::DynamoDB::GlobalTable': (id) => `--existing-table ${id}`,
  'AWS::SecretsManager::Secret': (id) => `--existing-secret ${nameOfSecret(id)}`,
};

/** The name in the ARN of a secret, which ends in a hyphen and six characters. */
function nameOfSecret(arn: string): string {
  return /:secret:(.+)-[A-Za-z0-9]{6}$/.exec(arn)?.[1] ?? arn;
}

/** Says how a later stack takes over what was kept, and how to delete it. */
export function keptCommands(stackName: string, kept: readonly StackResource[]): string {
  if (kept.length === 0) return `The stack ${stackName} is removed, with all its data.`;
  const settings = kept.flatMap(({ type, physicalId }) => taken[type]?.(physicalId) ?? []);
  const stage = stackName.replace('messaging-', '');
  const takeOver = ['npm run deploy --', `--stage ${stage}`, ...settings].join(' ');
  const commands = kept.flatMap(({ type, physicalId }) => deletion[type]?.(physicalId) ?? [`# ${type} ${physicalId}`]);
  return `
The stack ${stackName} is removed. To use the kept data again (docs/restoring.md):
  ${takeOver}

To delete the kept data for good:
${commands.map((command) => `  ${command}`).join('\n')}`;
}

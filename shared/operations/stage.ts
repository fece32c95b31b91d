/** What a stage may be called. Its name is part of the names of the stack and of the secrets. */
export const stageName = {
  pattern: /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/,
  expected: '1 to 32 lowercase letters, digits and hyphens, with a letter first and no hyphen last',
} as const;

/** The name of the CloudFormation stack of a stage. */
export const stackNameOf = (stage: string): string => `messaging-${stage}`;

/** The outputs of the stack, as its template names them. */
export const outputNames = [
  'ApiUrl',
  'BaseUrl',
  'DomainTarget',
  'TableName',
  'BucketName',
  'UpstreamSecretName',
  'UpstreamBaseUrl',
  'UpstreamGraphVersion',
  'NotificationQueueUrl',
  'DeadLetterQueueUrl',
  'DeadLetterQueueArn',
  'CodeVersion',
] as const;

export type OutputName = (typeof outputNames)[number];

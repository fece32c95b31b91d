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

/** The value of `EGRESS_ALLOWED_CIDRS` that allows customers' URLs on this machine. */
export const loopbackCidrs = '127.0.0.0/8,::1/128';

/** The upstream of a deployment whose configuration names no other. */
export const defaultUpstream = {
  baseUrl: 'https://graph.facebook.com',
  graphVersion: 'v25.0',
  /** The domains of Meta that Graph names for media; most files come from `lookaside.fbsbx.com`. */
  mediaHosts: 'facebook.com,fbcdn.net,fbsbx.com,whatsapp.com,whatsapp.net',
} as const;

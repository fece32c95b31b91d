import { UpstreamError } from '#shared/adapters/graph/graph-error.ts';

/** The command line itself is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood, but cannot be done as things stand. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What went wrong and what to do about it, in one line. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected failure: ${oneLine(String(error))}`;
  const message = oneLine(error.message);
  if (error instanceof UsageError) return `${message} (--help explains)`;
  if (error instanceof Refusal) return message;
  if (error instanceof UpstreamError) return `The WhatsApp Cloud API did not do it: ${message}`;
  const advice = awsAdvice[kindOf(error)];
  return advice === undefined ? `Unexpected failure: ${error.name}: ${message}` : `${advice} (${message})`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Network failures have a code, AWS's a name; the SDK's missing region has neither. */
function kindOf(error: Error): string {
  if (error.message === 'Region is missing') return 'RegionMissing';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const network = 'AWS cannot be reached: check the network and AWS_REGION.';
const rejected = 'AWS does not know these credentials: check AWS_PROFILE or the access keys.';
const expired = 'The AWS credentials have expired: sign in again.';
const busy = 'AWS is busy: try again in a moment.';

const awsAdvice: Readonly<Record<string, string>> = {
  RegionMissing: 'No AWS region: set AWS_REGION to the one of the deployment.',
  CredentialsProviderError: 'No AWS credentials: sign in and set AWS_PROFILE, or set the access keys.',
  TokenProviderError: expired,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  UnrecognizedClientException: rejected,
  InvalidClientTokenId: rejected,
  InvalidSignatureException: 'AWS refuses the signature: check the secret access key and the clock of this machine.',
  AccessDeniedException:
    'These AWS credentials may not use the table: allow them to read and write it and its indexes.',
  ResourceNotFoundException:
    'There is no such table (or secret) in this account and region: check --table (UPSTREAM_SECRET_ID) and AWS_REGION.',
  ValidationException: 'DynamoDB refuses the request: check that --table names the table of this service.',
  ECONNREFUSED: 'Nothing listens there: is the local world (npm start), or your proxy, running?',
  ENOTFOUND: network,
  EAI_AGAIN: network,
  ECONNRESET: network,
  ETIMEDOUT: network,
  TimeoutError: network,
  ThrottlingException: busy,
  ProvisionedThroughputExceededException: busy,
  RequestLimitExceeded: busy,
  InternalServerError: busy,
  ServiceUnavailable: busy,
};

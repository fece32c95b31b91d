import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { errorCatalogue } from '#shared/http/errors/error-catalogue.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command that explains how to write it. */
  help?: string;
}

/** The command line is right, but the command cannot be carried out in the present state. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
}

/** A command whose exit code 1 means that something is wrong with the service could not find out. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';

  constructor(cause: unknown) {
    super('The check could not run', { cause });
  }
}

/** The exit code of a command that failed. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError || error instanceof CannotCheck ? 2 : 1;
}

/** Says in one line what went wrong and what to do about it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected failure: ${oneLine(String(error))}`;
  if (error instanceof CannotCheck) return describeFailure(error.cause);
  if (error instanceof ServiceError) return errorResponse(error, 'en', errorCatalogue).body.message;
  const message = oneLine(error.message);
  if (error instanceof UsageError && error.help) return `${message} For help: ${error.help}`;
  if (error instanceof UsageError) return message;
  if (error instanceof Rejection) return message;
  if (error instanceof UpstreamError) return `The WhatsApp Cloud API returned an error: ${message}`;
  const advice = awsAdvice[failureCode(error)];
  const details = message + requestIdOf(error);
  return advice === undefined ? `Unexpected failure: ${error.name}: ${details}` : `${advice} (${details})`;
}

/** AWS's support asks for the id of the request. */
function requestIdOf(error: Error & { $metadata?: { requestId?: string } }): string {
  const id = error.$metadata?.requestId;
  return id === undefined ? '' : `; AWS request id: ${id}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Network errors have a code, AWS errors a name. The SDK's error for a missing region has neither. */
function failureCode(error: Error): string {
  if (error.message === 'Region is missing') return 'RegionMissing';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const network = 'AWS cannot be reached. Check the network and AWS_REGION.';
const rejected = 'AWS does not recognise these credentials. Check AWS_PROFILE or the access keys.';
const expired = 'The AWS credentials have expired: sign in again.';
const busy = 'AWS is busy: try again in a moment.';

const awsAdvice: Readonly<Record<string, string>> = {
  RegionMissing: "No AWS region is configured. Set AWS_REGION to the deployment's region.",
  CredentialsProviderError: 'No AWS credentials were found. Sign in and set AWS_PROFILE, or set the access keys.',
  TokenProviderError: expired,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  UnrecognizedClientException: rejected,
  InvalidClientTokenId: rejected,
  InvalidSignatureException: 'AWS rejects the signature. Check the secret access key and the clock of this machine.',
  AccessDenied:
    'These AWS credentials may not read the stack. Allow them cloudformation:DescribeStacks, or give --table <name>.',
  AccessDeniedException:
    'These AWS credentials may not use the table. Allow them to read and write the table and its indexes.',
  ResourceNotFoundException:
    'There is no such table (or secret) in this account and region. Check --table (or UPSTREAM_SECRET_ID) and AWS_REGION.',
  ValidationException: 'DynamoDB rejects the request. Check that --table names the table of this service.',
  ECONNREFUSED: 'The connection was refused: is the local world (npm start), or your proxy, running?',
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
  'HTTP 500': busy,
  'HTTP 502': busy,
  'HTTP 503': busy,
  'HTTP 504': busy,
};

import { isObject, listOf } from '#shared/base/json.ts';

/** What a failed call of AWS means, with what to do where that is known. */
export function describeAwsFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/\s+/g, ' ').trim();
  const advice = adviceOn(error);
  return advice === undefined ? `${codeOf(error)}: ${message}` : `${advice} (${message})`;
}

/** What to do about an error of AWS, of its SDK or of the network, if that is known. */
export function adviceOn(error: Error): string | undefined {
  return isDenied(error) ? adviceOnDenial(error.message) : advices[codeOf(error)];
}

/** Network errors have a code, AWS errors a name. The SDK's error for a missing region has neither. */
export function codeOf(error: Error): string {
  if (error.message === 'Region is missing') return 'RegionMissing';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Whether AWS does not allow a call. The codes differ between its services. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && /^(AccessDenied(Exception)?|UnauthorizedOperation)$/.test(error.name);
}

/** Which service denied a call, only the text of the error says, and S3 may not. */
function adviceOnDenial(message: string): string {
  const [, action] = /not authorized to perform: ([\w-]+:\w+)/.exec(message) ?? [];
  const what = action === undefined ? 'may not do this' : `lack the permission ${action}`;
  return `These AWS credentials ${what}. Check AWS_PROFILE, or allow it to their user or role.`;
}

const network = 'AWS cannot be reached. Check the network and AWS_REGION.';
const rejected = 'AWS does not recognise these credentials. Check AWS_PROFILE, the access keys and AWS_REGION.';
const badSignature = 'AWS rejects the signature. Check the secret access key and the clock of this machine.';
const expired = 'The AWS credentials have expired: sign in again.';
const busy = 'AWS is busy: try again in a moment.';

const advices: Readonly<Record<string, string>> = {
  RegionMissing: "No AWS region is configured. Set AWS_REGION to the deployment's region.",
  CredentialsProviderError: 'No AWS credentials were found. Sign in and set AWS_PROFILE, or set the access keys.',
  TokenProviderError: expired,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  UnrecognizedClientException: rejected,
  InvalidClientTokenId: rejected,
  InvalidAccessKeyId: rejected,
  InvalidSignatureException: badSignature,
  SignatureDoesNotMatch: badSignature,
  ECONNREFUSED: network,
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

/** Whether an AWS service returned an error with this code. The SDK gives errors the code as their name. */
export function isAwsError(error: unknown, code: string): error is Error & Record<string, unknown> {
  return error instanceof Error && error.name === code;
}

/**
 * Returns the codes for which DynamoDB canceled a transaction, one for each of its writes (`None` for those that were
 * not the reason). Without a canceled transaction there are none.
 */
export function canceledFor(error: unknown): readonly string[] {
  if (!isAwsError(error, 'TransactionCanceledException')) return [];
  return listOf(error.CancellationReasons).map((reason) => (isObject(reason) ? String(reason.Code) : ''));
}

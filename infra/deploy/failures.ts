const noCredentials = 'No AWS credentials were found. Sign in and set AWS_PROFILE, or set the access keys.';
const expired = 'The AWS credentials have expired: sign in again.';
const rejected = 'AWS does not recognise these credentials. Check AWS_PROFILE, the access keys and AWS_REGION.';
const unreachable = 'AWS cannot be reached. Check the network and AWS_REGION.';

const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError: noCredentials,
  TokenProviderError: expired,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  InvalidClientTokenId: rejected,
  UnrecognizedClientException: rejected,
  SignatureDoesNotMatch: 'AWS rejects the signature. Check the secret access key and the clock of this machine.',
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ECONNREFUSED: unreachable,
  ETIMEDOUT: unreachable,
  TimeoutError: unreachable,
};

/** What a failed call of AWS means, with what to do where that is known. */
export function describeAwsFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const message = error.message.replace(/\s+/g, ' ').trim();
  return advice[code] === undefined ? `${code}: ${message}` : `${advice[code]} (${message})`;
}

/** Whether AWS does not allow a call. The codes differ between its services. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && /^(AccessDenied(Exception)?|UnauthorizedOperation)$/.test(error.name);
}

import { AwsError } from '../base/aws-error.ts';

const maxExpiresSeconds = 604_800;

/**
 * Checks the time of a presigned URL (Signature Version 4 in query parameters). The signature itself is not verified.
 * Throws `AwsError` `AccessDenied` if the URL has expired, `AuthorizationQueryParametersError` if it cannot be read.
 */
export function checkPresigned(query: URLSearchParams, now: number): void {
  const signedAt = parseAmzDate(query.get('X-Amz-Date') ?? '');
  const expires = Number(query.get('X-Amz-Expires') || Number.NaN);
  if (Number.isNaN(signedAt) || !(expires >= 0 && expires <= maxExpiresSeconds)) {
    throw new AwsError(
      'AuthorizationQueryParametersError',
      'X-Amz-Date must be in the ISO 8601 basic form, and X-Amz-Expires a number of seconds up to a week.',
    );
  }
  if (now >= signedAt + expires * 1000) throw new AwsError('AccessDenied', 'Request has expired', 403);
}

/** Milliseconds since 1970 of `20260131T235959Z`; `NaN` for what is not a date. */
function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

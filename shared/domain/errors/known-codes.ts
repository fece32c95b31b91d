import type { KnownErrors, UpstreamFailure } from './upstream-error.ts';

/** An error code of one of the upstream's APIs, with what it means for the service and for the client. */
export interface KnownCode<Meaning extends string = string> {
  readonly code: number;
  readonly failure: UpstreamFailure;
  readonly meaning: Meaning;
  readonly subcode?: number;
  /** The code has this meaning only if the upstream also says that there are too many requests. */
  readonly onlyIfRateLimited?: true;
  /** How long a limit lasts if the upstream does not say it. */
  readonly retryAfterSeconds?: number;
  /** The upstream sends the code in the `errors` of events, never in a response. */
  readonly onlyInEvents?: true;
}

/** Looks codes up in the table of a subject. The first row that fits decides. */
export function knownErrors(subject: 'call' | 'media' | 'message', codes: readonly KnownCode[]): KnownErrors {
  return ({ rateLimited, code, subcode }) => {
    const error = codes.find(
      (error) =>
        error.code === code && (error.subcode ?? subcode) === subcode && (rateLimited || !error.onlyIfRateLimited),
    );
    if (!error) return undefined;
    const { failure, meaning, retryAfterSeconds } = error;
    return { failure, meaning: { code: `${subject}.${meaning}` }, retryAfterSeconds };
  };
}

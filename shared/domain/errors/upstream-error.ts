import type { ErrorValues } from './field-error.ts';

/** What a failed call of the upstream means for us, whatever HTTP status it came with. */
export type UpstreamFailure =
  /** The upstream understood and said no: the client's matter. */
  | 'refused'
  /** Too many requests, for a while. */
  | 'rate-limited'
  /** Our access token or permissions: the operator's matter, never the client's. */
  | 'credentials'
  /** It answered with an error of its own; nothing was done. */
  | 'unavailable'
  /** Not reachable: the request never arrived. */
  | 'unreachable'
  /** No answer, or a broken one: whether it was done is not known. */
  | 'no-answer';

/** A sentence of ours about an error, by its code; `shared/http` has the text. */
export interface Explanation {
  readonly code: ExplanationCode;
  readonly values?: ErrorValues;
}

/** The subject that explains it, and the subject's own code. */
export type ExplanationCode = `${'call' | 'sdp' | 'media' | 'exchange'}.${string}`;

/** What the service adds to an error of the upstream. */
export interface Explanations {
  /** What it means and what to do about it. */
  readonly meaning?: Explanation | undefined;
  /** What else may be its cause. */
  readonly hints?: readonly Explanation[];
}

interface ErrorDetails extends Explanations {
  code?: number | undefined;
  subcode?: number | undefined;
  details?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly failure: UpstreamFailure;
  /** The upstream's error code, when it gave one. */
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  /** What the upstream says in particular, where its text for people is a general one. */
  readonly details: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly meaning: Explanation | undefined;
  readonly hints: readonly Explanation[];

  /** `message` is the best text for people that the upstream gave, or one of ours. */
  constructor(failure: UpstreamFailure, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.failure = failure;
    this.code = details.code;
    this.subcode = details.subcode;
    this.details = details.details;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.meaning = details.meaning;
    this.hints = details.hints ?? [];
  }

  /** The same error with more to say of it. */
  explained(explanations: Explanations): UpstreamError {
    const { failure, message, code, subcode, details, retryAfterSeconds, meaning, hints } = this;
    return new UpstreamError(failure, message, {
      ...{ code, subcode, details, retryAfterSeconds, meaning, hints },
      ...explanations,
      cause: this,
    });
  }
}

/** What one of Graph's APIs means by a code. */
export interface KnownError {
  readonly failure: UpstreamFailure;
  readonly meaning: Explanation;
}

/** The codes that an API of Graph's has for itself; they go before what codes mean in general. */
export type KnownErrors = (error: {
  status: number;
  code: number;
  subcode: number | undefined;
}) => KnownError | undefined;

/** Whether the upstream says that the object is not there: code 100, by its subcode or, where that lacks, its text. */
export function isNoSuchObject(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.code !== 100) return false;
  return error.subcode === 33 || /does not exist/i.test(error.message);
}

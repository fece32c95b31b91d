import type { ErrorValues } from './field-error.ts';

/** What a failed upstream request means for the service, independent of its HTTP status. */
export type UpstreamFailure =
  /** The upstream understood the request and rejected it: the client has to act. */
  | 'rejected'
  /** A rejection because calling is off, or not available, for the number. */
  | 'forbidden'
  /** Too many requests; the limit is temporary. */
  | 'rate-limited'
  /** The upstream rejected our access token or permissions: the operator has to act, never the client. */
  | 'credentials'
  /** The upstream returned an error of its own and did nothing. */
  | 'unavailable'
  /** The upstream could not be reached: the request never arrived. */
  | 'unreachable'
  /** The upstream did not respond in time, so the outcome is unknown. */
  | 'timeout'
  /** The connection broke after the request was sent, or the response cannot be read, so the outcome is unknown. */
  | 'broken-response';

/** An explanation that the service adds to an error, identified by a code; `shared/http` has the text. */
export interface Explanation {
  readonly code: ExplanationCode;
  readonly values?: ErrorValues;
}

/** The subject area and the area's own code. */
export type ExplanationCode = `${'call' | 'sdp' | 'message' | 'media' | 'exchange'}.${string}`;

/** Explanations that the service adds to an upstream error. */
export interface Explanations {
  /** What the error means and what to do about it. */
  readonly meaning?: Explanation | undefined;
  /** Other possible causes. */
  readonly hints?: readonly Explanation[];
}

interface ErrorDetails extends Explanations {
  code?: number | undefined;
  subcode?: number | undefined;
  details?: string | undefined;
  retryAfterSeconds?: number | undefined;
  outcomeIsUnknown?: boolean | undefined;
  isTemporary?: boolean | undefined;
  cause?: unknown;
}

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly failure: UpstreamFailure;
  /** The upstream's error code, if it gave one. */
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  /** The upstream's specific details, when its message for people is a general one. */
  readonly details: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly meaning: Explanation | undefined;
  readonly hints: readonly Explanation[];
  /**
   * Whether the upstream may have done what it was asked: it did not respond, or failed without a code that is known to
   * mean that it did nothing.
   */
  readonly outcomeIsUnknown: boolean;
  /** Whether the upstream says that the error passes, whatever its code means. */
  readonly isTemporary: boolean;

  /** `message` is the upstream's best text for people, or one of ours. */
  constructor(failure: UpstreamFailure, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.failure = failure;
    this.code = details.code;
    this.subcode = details.subcode;
    this.details = details.details;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.meaning = details.meaning;
    this.hints = details.hints ?? [];
    this.isTemporary = details.isTemporary ?? false;
    const failedUnclearly = failure === 'unavailable' && details.meaning === undefined;
    this.outcomeIsUnknown = details.outcomeIsUnknown ?? (lacksResponse(this) || failedUnclearly);
  }

  /** Returns the same error with explanations added. */
  explained(explanations: Explanations): UpstreamError {
    const { failure, message, code, subcode, details, retryAfterSeconds, meaning, hints } = this;
    const { outcomeIsUnknown, isTemporary } = this;
    return new UpstreamError(failure, message, {
      ...{ code, subcode, details, retryAfterSeconds, meaning, hints, outcomeIsUnknown, isTemporary },
      ...explanations,
      cause: this,
    });
  }
}

/** Whether the upstream did not respond in time, or not in a form that can be read. */
export const lacksResponse = ({ failure }: UpstreamError) => failure === 'timeout' || failure === 'broken-response';

/**
 * Whether the upstream says that the object does not exist: code 100 with subcode 33 or, without a subcode, the
 * message.
 */
export function isNoSuchObject(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.code !== 100) return false;
  return error.subcode === 33 || /does not exist/i.test(error.message);
}

/** Errors of what came before a request to the upstream. */
const beforeAnyRequest = new WeakSet<object>();

/** Prepares a request to the upstream. If that fails, the request was certainly not sent. */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof Error) beforeAnyRequest.add(error);
    throw error;
  }
}

/** Whether the error comes from the preparation of a request, and so from before the request. */
export function cameBeforeSending(error: unknown): boolean {
  return error instanceof Error && beforeAnyRequest.has(error);
}

import type { FieldError } from '#shared/base/field-error.ts';
import { type ErrorCode, ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import type { Explain } from '#shared/http/error-entry.ts';
import { fill, type Language, render } from '#shared/http/language.ts';
import type { ErrorCatalogue, upstreamErrors } from './error-catalogue.ts';

/** The body has a `message`, `errors` if fields are invalid, and nothing else. What programs need is in the headers. */
export interface ErrorResponse {
  status: number;
  body: { message: string; errors?: Record<string, string[]> };
  headers: Record<string, string>;
}

/** Codes are in snake case for clients. */
type SnakeCase<Code extends string> = Code extends `${infer Start}${'.' | '-'}${infer Rest}`
  ? `${Start}_${SnakeCase<Rest>}`
  : Code;

export type PublicCode =
  | SnakeCase<ErrorCode>
  | (typeof upstreamErrors)[UpstreamFailure]['code']
  | typeof outcomeUnknownCode
  | typeof internalCode;

/** The code of a failure of the upstream after which the request may have had its effect. */
export const outcomeUnknownCode = 'upstream_outcome_unknown';

export const internalCode = 'internal_error';

/** Returns the code of a response's `x-error-code`. It follows from the error's own code, so none can lack one. */
export const publicCode = (code: ErrorCode) => code.replaceAll(/[.-]/g, '_') as PublicCode;

const unexplained: Explain = ({ code }) => {
  throw new Error(`This operation has no text for ${code}`);
};

/**
 * Returns the response to a thrown value. An error that neither the client nor the upstream caused is a plain `500`.
 */
export function errorResponse(
  error: unknown,
  language: Language,
  catalogue: ErrorCatalogue,
  explain: Explain = unexplained,
): ErrorResponse {
  if (error instanceof ServiceError) return serviceErrorResponse(error, language, catalogue);
  if (error instanceof UpstreamError) return upstreamErrorResponse(error, language, catalogue, explain);
  return {
    status: 500,
    body: { message: render(catalogue.texts.internal, language) },
    headers: { 'x-error-code': internalCode },
  };
}

function serviceErrorResponse(
  { code, values, fields, retryAfterSeconds }: ServiceError,
  language: Language,
  catalogue: ErrorCatalogue,
): ErrorResponse {
  const entry = catalogue.errors[code];
  const { status, localise } = entry;
  const message = render(entry, language, localise?.(values, language) ?? values);
  return {
    status,
    body: fields.length > 0 ? invalidBody(fields, language, catalogue) : { message },
    headers: {
      'x-error-code': publicCode(code),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 416 && { 'content-range': `bytes */${values.size}` }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  };
}

function upstreamErrorResponse(
  error: UpstreamError,
  language: Language,
  catalogue: ErrorCatalogue,
  explain: Explain,
): ErrorResponse {
  const { status, code } = catalogue.upstreamErrors[error.failure];
  const isUnknown = error.meaning?.code.endsWith('.outcome-unknown');
  return {
    status,
    body: { message: upstreamMessage(error, language, catalogue, explain) },
    headers: {
      'x-error-code': isUnknown ? outcomeUnknownCode : code,
      ...(error.code !== undefined && { 'x-upstream-error-code': String(error.code) }),
      ...(error.failure === 'rate-limited' && { 'retry-after': String(error.retryAfterSeconds) }),
    },
  };
}

/** Clients read the upstream's own message only if it rejected the request; its other errors are not meant for them. */
function upstreamMessage(
  error: UpstreamError,
  language: Language,
  { texts, upstreamErrors }: ErrorCatalogue,
  explain: Explain,
): string {
  const { failure, hints, retryAfterSeconds: seconds = 60 } = error;
  const meaning = error.meaning && explain(error.meaning, language);
  if (failure === 'rejected' || failure === 'forbidden') {
    const explained = hints.map((hint) => explain(hint, language));
    return rejectionMessage(error, meaning, explained);
  }
  if (meaning === undefined) return render(upstreamErrors[failure].text, language, { seconds });
  return failure === 'rate-limited' ? `${meaning} ${render(texts.upstreamRetry, language, { seconds })}` : meaning;
}

/** Returns the upstream's message, with our explanation and hints around it if there are any. */
function rejectionMessage({ message, details }: UpstreamError, meaning: string | undefined, hints: string[]): string {
  if (meaning === undefined && hints.length === 0) return message;
  const words = details === undefined ? [message] : [message, details];
  return [...(meaning === undefined ? [] : [meaning]), ...words.map(asSentence), ...hints].join(' ');
}

const asSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

function invalidBody(
  fields: readonly FieldError[],
  language: Language,
  { rules, texts }: ErrorCatalogue,
): ErrorResponse['body'] {
  const errors: Record<string, string[]> = Object.create(null);
  for (const { field, rule, values } of fields) {
    const text = fill(rules[language][rule], { field: spoken(field), ...values });
    errors[field] = [...(errors[field] ?? []), text];
  }
  const [first = '', ...more] = Object.values(errors).flat();
  if (more.length === 0) return { message: first, errors: { ...errors } };
  return { message: render(texts.moreErrors, language, { first, count: more.length }), errors: { ...errors } };
}

/** Returns a field's name as a sentence shows it. */
function spoken(field: string): string {
  return field.replaceAll('_', ' ');
}

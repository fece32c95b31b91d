import type { FieldError } from '#shared/base/field-error.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type Explain, internalCode, publicCode, publicCodeOfUpstream } from '#shared/http/error-entry.ts';
import { fill, type Language, render } from '#shared/http/language.ts';
import type { ErrorCatalogue } from './error-catalogue.ts';

/** The body has a `message`, `errors` if fields are invalid, and nothing else. What programs need is in the headers. */
export interface ErrorResponse {
  status: number;
  body: { message: string; errors?: Record<string, string[]> };
  headers: Record<string, string>;
}

export const statusByFailure: Record<UpstreamFailure, number> = {
  rejected: 400,
  forbidden: 403,
  'rate-limited': 429,
  credentials: 502,
  unavailable: 502,
  unreachable: 502,
  timeout: 504,
  'broken-response': 502,
};

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
  { texts }: ErrorCatalogue,
  explain: Explain,
): ErrorResponse {
  return {
    status: statusByFailure[error.failure],
    body: { message: upstreamMessage(error, language, texts, explain) },
    headers: {
      'x-error-code': publicCodeOfUpstream(error),
      ...(error.code !== undefined && { 'x-upstream-error-code': String(error.code) }),
      ...(error.failure === 'rate-limited' && { 'retry-after': String(error.retryAfterSeconds) }),
    },
  };
}

/** Clients read the upstream's own message only if it rejected the request; its other errors are not meant for them. */
function upstreamMessage(
  error: UpstreamError,
  language: Language,
  texts: ErrorCatalogue['texts'],
  explain: Explain,
): string {
  const { retryAfterSeconds = 60 } = error;
  const meaning = error.meaning && explain(error.meaning, language);
  switch (error.failure) {
    case 'rejected':
    case 'forbidden':
      return rejectionMessage(
        error,
        meaning,
        error.hints.map((hint) => explain(hint, language)),
      );
    case 'rate-limited': {
      const values = { seconds: retryAfterSeconds };
      if (!meaning) return render(texts.upstreamRateLimited, language, values);
      return `${meaning} ${render(texts.upstreamRetry, language, values)}`;
    }
    case 'credentials':
      return render(texts.upstreamCredentials, language);
    case 'unavailable':
    case 'unreachable':
      return meaning ?? render(texts.upstreamUnavailable, language);
    case 'timeout':
      return meaning ?? render(texts.upstreamTimeout, language);
    case 'broken-response':
      return meaning ?? render(texts.upstreamResponseBroken, language);
  }
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

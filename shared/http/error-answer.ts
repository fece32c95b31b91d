import { UpstreamError, type UpstreamFailure } from '#shared/adapters/graph/graph-error.ts';
import { type FieldTexts, ServiceError, type ServiceErrorKind } from '#shared/domain/errors/service-error.ts';
import { type Language, render } from './language/language.ts';
import { requestTexts } from './texts.ts';

/** An error as it is answered: `message` always, `errors` for invalid fields, nothing else. */
export interface ErrorAnswer {
  status: number;
  body: { message: string; errors?: Record<string, string[]> };
  headers: Record<string, string>;
}

const statusByKind: Record<ServiceErrorKind, number> = {
  malformed: 400,
  refused: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  busy: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  invalid: 422,
  'too-many': 429,
  'upstream-fault': 502,
  'not-ready': 503,
  loop: 508,
};

const statusByFailure: Record<UpstreamFailure, number> = {
  refused: 400,
  'rate-limited': 429,
  credentials: 502,
  unavailable: 502,
  unreachable: 502,
  'no-answer': 504,
};

/** The answer to a thrown value; whatever is neither the client's nor the upstream's fault is a plain `500`. */
export function errorAnswer(error: unknown, language: Language): ErrorAnswer {
  if (error instanceof ServiceError) return serviceErrorAnswer(error, language);
  if (error instanceof UpstreamError) return upstreamErrorAnswer(error, language);
  return { status: 500, body: { message: render(requestTexts.internal, language) }, headers: {} };
}

function serviceErrorAnswer(error: ServiceError, language: Language): ErrorAnswer {
  const message = render(error.text, language, error.values);
  return {
    status: statusByKind[error.kind],
    body: error.fields ? invalidBody(error.fields, language) : { message },
    headers: {
      ...(error.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
    },
  };
}

function upstreamErrorAnswer(error: UpstreamError, language: Language): ErrorAnswer {
  return {
    status: statusByFailure[error.failure],
    body: { message: upstreamMessage(error, language) },
    headers: {
      ...(error.code !== undefined && { 'x-upstream-error-code': String(error.code) }),
      ...(error.failure === 'rate-limited' && { 'retry-after': String(error.retryAfterSeconds) }),
    },
  };
}

/** A refusal is told in the upstream's own words; its other troubles are not the client's to read. */
function upstreamMessage(error: UpstreamError, language: Language): string {
  const { meaning, retryAfterSeconds = 60 } = error;
  switch (error.failure) {
    case 'refused':
      return refusalMessage(error, language);
    case 'rate-limited': {
      const general = render(requestTexts.upstreamRateLimited, language, { seconds: retryAfterSeconds });
      return meaning ? `${render(meaning, language)} ${general}` : general;
    }
    case 'credentials':
      return render(requestTexts.upstreamCredentials, language);
    case 'unavailable':
    case 'unreachable':
      return render(meaning ?? requestTexts.upstreamUnavailable, language);
    case 'no-answer':
      return render(meaning ?? requestTexts.upstreamTimeout, language);
  }
}

/** The upstream's words, with ours around them where there are any. */
function refusalMessage({ message, details, meaning, hints }: UpstreamError, language: Language): string {
  if (!meaning && hints.length === 0) return message;
  const words = details === undefined ? [message] : [message, details];
  return [
    ...(meaning ? [render(meaning, language)] : []),
    ...words.map(asSentence),
    ...hints.map((hint) => render(hint, language)),
  ].join(' ');
}

const asSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

function invalidBody(fields: FieldTexts, language: Language): ErrorAnswer['body'] {
  const errors = Object.fromEntries(
    Object.entries(fields).map(([field, texts]) => [
      field,
      texts.map(({ text, values }) => render(text, language, values)),
    ]),
  );
  const [first = '', ...more] = Object.values(errors).flat();
  if (more.length === 0) return { message: first, errors };
  const text = more.length === 1 ? requestTexts.oneMoreError : requestTexts.moreErrors;
  return { message: render(text, language, { first, count: more.length }), errors };
}

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { type HttpEvent, languageOf } from '#shared/http/request.ts';
import { explainUploadError } from '#shared/media/media-error.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { cleanText, type Withheld } from './clean-response.ts';
import { GraphPathError } from './graph-path-error.ts';

/** What an error is on Graph's paths: an HTTP status, and a code that clients of Graph know. */
interface Meaning {
  status: number;
  code: number;
  subcode?: number | undefined;
  isTransient?: boolean;
}

/** Of our own statuses. What was sent once and may have had its effect is not transient. */
function meaningOf(status: number): Meaning {
  switch (status) {
    case 401:
      return { status, code: 190 };
    case 403:
      return { status, code: 10 };
    case 404:
      return { status: 400, code: 100, subcode: 33 };
    case 429:
      return { status, code: 4, isTransient: true };
    case 409:
    case 503:
      return { status, code: 2, isTransient: true };
    default:
      return status < 500 ? { status: 400, code: 100 } : { status, code: 1 };
  }
}

/** The platform's own codes stay, unless the error is between it and this service. */
function meaningOfUpstream({ failure, code, subcode, outcomeIsUnknown }: UpstreamError, status: number): Meaning {
  if (failure === 'rejected') return { status: 400, code: code ?? 100, subcode };
  if (failure === 'forbidden') return { status: 403, code: code ?? 10, subcode };
  if (failure === 'rate-limited') return { status: 429, code: code ?? 4, subcode, isTransient: true };
  return outcomeIsUnknown ? { status, code: 1 } : { status, code: 2, isTransient: true };
}

export interface ErrorContext {
  event: HttpEvent;
  requestId: string;
  /** Absent as long as no object is found. Until then, no words of the platform are repeated. */
  withheld: Withheld | undefined;
}

/** The response to an error, in Graph's form. */
export async function graphErrorResponse(
  error: unknown,
  { event, requestId, withheld }: ErrorContext,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { text, headers, ...meaning } = await describe(error, event, withheld === undefined);
  const { status, code, subcode, isTransient } = meaning;
  const details = withheld ? cleanText(text, withheld) : text;
  const body = {
    message: /^\(#\d/.test(details) || subcode === 33 ? details : `(#${code}) ${details}`,
    type: subcode === 33 ? 'GraphMethodException' : 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(isTransient && { is_transient: true }),
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: requestId,
  };
  return { statusCode: status, headers, body: JSON.stringify({ error: body }) };
}

async function describe(error: unknown, event: HttpEvent, isNobodys: boolean) {
  if (error instanceof GraphPathError) {
    const { status, code, subcode, message } = error;
    const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    return { status, code, subcode, text: message, headers };
  }
  const known = error instanceof UpstreamError && isNobodys ? withoutWords(error) : error;
  const { errorCatalogue } = await import('#shared/operations/error-catalogue.ts');
  const { status, body, headers } = errorResponse(known, languageOf(event), errorCatalogue, await explain());
  const meaning = known instanceof UpstreamError ? meaningOfUpstream(known, status) : meaningOf(status);
  return { ...meaning, text: body.message, headers };
}

const withoutWords = ({ failure, retryAfterSeconds }: UpstreamError) =>
  new UpstreamError(failure === 'rejected' || failure === 'forbidden' ? 'unavailable' : failure, '', {
    retryAfterSeconds,
  });

/** Explains the errors of the platform on any path, each with the texts of its subject. */
const explain: LoadExplain = async () => {
  const loading = [explainMessageError(), explainUploadError(), explainCallError()] as const;
  const [ofMessage, ofMedia, ofCall] = await Promise.all(loading);
  return (explanation, language) => {
    const { code } = explanation;
    if (code.startsWith('message.')) return ofMessage(explanation, language);
    return code.startsWith('media.') ? ofMedia(explanation, language) : ofCall(explanation, language);
  };
};

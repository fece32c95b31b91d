import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import { cleanText, type Withheld } from '#shared/graph/clean-response.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { type HttpEvent, languageOf } from '#shared/http/request.ts';
import { explainUploadError } from '#shared/media/media-error.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';
import { errorResponse } from '#shared/operations/error-response.ts';

/** An error in the words of Graph, which has them in English only. */
export class GraphPathError extends Error {
  override readonly name = 'GraphPathError';
  readonly status: number;
  readonly code: number;
  readonly subcode: number | undefined;

  constructor(message: string, status: number, code: number, subcode?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.subcode = subcode;
  }
}

const page = 'docs/graph-paths.md lists the paths that this service has.';

export const unknownPath = () => new GraphPathError(`Unknown path components. ${page}`, 400, 2500);

/** Also what somebody else has does not exist. */
export const missingObject = (method: string, id: string, hint = '') =>
  new GraphPathError(
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.${hint && ` ${hint}`}`,
    400,
    100,
    33,
  );

export const twoTokens = () =>
  new GraphPathError('The header Authorization and the parameter access_token have different tokens.', 401, 190);

export const changesFlow = (instead: string) =>
  new GraphPathError(`For Flows, use the operation of this service instead: ${instead}. ${page}`, 400, 100);

export const needsAppSecret = (target: string) =>
  new GraphPathError(
    `First set the app secret that signs notifications: send {"format": "meta", "url": "…", "verify_token": "…", "app_secret": "…"} with PUT ${target}`,
    400,
    100,
  );

export const keepsWebhook = (target: string) =>
  new GraphPathError(`A webhook is removed with an operation of this service: DELETE ${target}.`, 400, 100);

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
  new UpstreamError(failure, '', { retryAfterSeconds });

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

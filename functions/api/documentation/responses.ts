import type { PublicCode } from '#shared/http/error-entry.ts';
import { type Contract, needsToken, type Uses } from '#shared/operations/contract.ts';
import { codesWithRetryAfter, errorCodesByStatus, isOfCalls, publicErrors } from '#shared/operations/public-errors.ts';
import { contentOf, type Json, ref, schemaOf } from './schemas.ts';

type Examples = Readonly<Record<number, unknown>>;

/** The responses of an operation by status, with these examples. */
export const responsesOf = (contract: Contract, examples: Examples, schemas: Json): Json =>
  withHeaders(contract, { ...failures(contract), ...successes(contract, examples, schemas) });

function successes(contract: Contract, examples: Examples, schemas: Json): Record<string, Json> {
  const entries = Object.entries(contract.responses).map(([status, { description, body, headers, mediaType }]) => [
    status,
    {
      description,
      ...(headers && { headers: describeHeaders(headers, true) }),
      ...(body && { content: contentOf(schemaOf(body, 'output', schemas), examples[Number(status)], mediaType) }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Headers of the service's own responses, each described once. A response may lack them where API Gateway responds. */
const commonHeaders = {
  RequestId: { name: 'X-Request-Id', description: 'Identifies the request in the log of the service' },
  ErrorCode: {
    name: 'X-Error-Code',
    description: 'What went wrong, for programs: the same in every language, and the same in later versions',
    values: publicErrors.map(({ code }) => code),
  },
  RetryAfter: { name: 'Retry-After', description: 'In how many seconds it is worth trying again' },
  UpstreamErrorCode: {
    name: 'X-Upstream-Error-Code',
    description: 'The code of the error, if the messaging platform responded with one',
  },
} as const;

export const headerComponents = Object.fromEntries(
  Object.entries(commonHeaders).map(([id, { description, ...header }]) => [
    id,
    { description, schema: { type: 'string', ...('values' in header && { enum: header.values }) } },
  ]),
);

type CommonHeader = keyof typeof commonHeaders;

const referTo = (...headers: CommonHeader[]): Json =>
  Object.fromEntries(headers.map((header) => [commonHeaders[header].name, { $ref: `#/components/headers/${header}` }]));

/** The headers that follow from the status of a response. */
function headersOf(status: string, contract: Contract, codes: readonly PublicCode[]): Json {
  const { uses, responses } = contract;
  const isOfUpstream =
    (callsUpstream(uses) && ['400', '429', '502', '504'].includes(status)) || isForbiddenUpstream(status, contract);
  return {
    ...referTo('RequestId'),
    // Pages for people and the protocol of Flow endpoints have responses of their own to errors, without a code.
    ...(Number(status) >= 400 && !(status in responses) && describeCodes(codes)),
    ...(status === '416' && describeHeaders({ 'content-range': 'The size of the file' }, true)),
    ...(codes.some((code) => codesWithRetryAfter.has(code)) && referTo('RetryAfter')),
    ...(isOfUpstream && referTo('UpstreamErrorCode')),
  };
}

/** The codes that a response can have, or only the header if API Gateway alone responds with this status. */
function describeCodes(codes: readonly string[]): Json {
  const { $ref } = Object(referTo('ErrorCode')[commonHeaders.ErrorCode.name]);
  const names = codes.map((code) => `\`${code}\``);
  const description = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  return { [commonHeaders.ErrorCode.name]: { $ref, ...(codes.length > 0 && { description }) } };
}

function describeHeaders(headers: Readonly<Record<string, string>>, required: boolean): Json {
  const describe = (description: string) => ({
    description,
    ...(required && { required }),
    schema: { type: 'string' },
  });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, describe(text)]));
}

const replayHeader = {
  'Idempotency-Replayed': '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
};

/** Statuses of errors that occur before the operation runs, so the operation's headers are absent. Calls can be forbidden later. */
const statusesWithoutOperation = new Set(['401', '403', '404', '413', '415', '422', '508']);

function withHeaders(contract: Contract, responses: Record<string, Json>): Json {
  const { optionalHeaders, idempotency } = contract;
  const codes = errorCodesByStatus(contract);
  const ofOperation = (status: string) =>
    statusesWithoutOperation.has(status) && !isForbiddenUpstream(status, contract)
      ? {}
      : describeHeaders({ ...optionalHeaders, ...(idempotency && isKept(status) && replayHeader) }, false);
  const entries = Object.entries(responses).map(([status, { description, headers, ...content }]) => [
    status,
    {
      description,
      headers: {
        ...headersOf(status, contract, codes.get(Number(status)) ?? []),
        ...ofOperation(status),
        ...(headers as Json | undefined),
      },
      ...content,
    },
  ]);
  return Object.fromEntries(entries);
}

/** Returns whether a response with this status is kept for an `Idempotency-Key`. */
const isKept = (status: string) => status.startsWith('2') || status === '400' || status === '403';

const isForbiddenUpstream = (status: string, contract: Contract) => status === '403' && isOfCalls(contract);

function failures(contract: Contract): Record<string, Json> {
  const dependsOnUpstream = callsUpstream(contract.uses);
  const texts: Record<number, string | false | undefined> = {
    400: rejected(contract),
    401: needsToken(contract) && 'The access token is missing or invalid',
    403: forbidden(contract),
    404: needsToken(contract) && contract.caller !== 'user' && 'The resource does not exist',
    413: contract.method !== 'GET' && 'The body is too large',
    415:
      contract.body === undefined
        ? contract.takesFile && 'The body is compressed'
        : 'The body is not JSON, or is compressed',
    422: invalid(contract),
    429: tooMany(contract),
    502: dependsOnUpstream && 'The messaging platform failed, or its response cannot be read',
    504: dependsOnUpstream && noResponse(contract),
    500: 'Something went wrong in the service',
    508: 'The service sent this request to itself: a webhook or endpoint URL points to the service',
    ...contract.errors,
    ...inProgress(contract),
  };
  const described = Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(
    described.map(([status, description]) => [
      status,
      { description, content: contentOf(ref(status === '422' ? 'ValidationFailure' : 'Error')) },
    ]),
  );
}

function invalid(contract: Contract): string | undefined {
  const { body, query, takesFile } = contract;
  if (takesFile) return 'The file is missing, its type or size is not allowed, or there is a query parameter';
  if (body !== undefined || query !== undefined) return 'A field is missing or invalid, or does not exist';
  return needsToken(contract) ? 'There is a query parameter, but the operation has none' : undefined;
}

/** Returns whether the operation's response depends on the upstream's. */
const callsUpstream = ({ upstream }: Uses) => upstream === 'call';

/** The gateway has limits of its own for every operation, and does not say when to try again. */
function tooMany(contract: Contract): string {
  const codes = errorCodesByStatus(contract).get(429) ?? [];
  const advice = codes.some((code) => codesWithRetryAfter.has(code))
    ? '`Retry-After`, if there is one, says when to try again; otherwise wait a second, then longer each time'
    : 'Try again after a second, then wait longer each time';
  return `Too many requests. ${advice}`;
}

/** Why a request that the caller may make is rejected before the operation, by it, or by the upstream. */
function rejected({ body, takesFile, method, caller, uses, throws }: Contract): string | undefined {
  const reasons = [
    // The upstream's requests have bodies without a schema.
    ...(body !== undefined || takesFile || (caller === 'upstream' && method !== 'GET')
      ? ['the body is malformed']
      : []),
    ...(throws?.includes('workspace.no-business-account') ? ['the workspace has no business account'] : []),
    ...(callsUpstream(uses) ? ['the messaging platform rejected the request'] : []),
  ];
  if (reasons.length === 0) return undefined;
  return capitalized(new Intl.ListFormat('en', { type: 'disjunction' }).format(reasons));
}

const sameKey = 'a request with the same `Idempotency-Key`';

function inProgress({ idempotency, errors }: Contract): Record<number, string> {
  if (!idempotency) return {};
  const reason = `${sameKey} is still in progress. \`Retry-After\` says when to try again`;
  return { 409: errors?.[409] === undefined ? capitalized(reason) : `${errors[409]}, or ${reason}` };
}

function noResponse({ idempotency }: Contract): string {
  const text = 'The messaging platform did not respond in time';
  return idempotency === 'never-again' ? `${text}, or the outcome of ${sameKey} is unknown` : text;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const callingIsOff = 'calling is not available for this number on the platform';

/** What the wrapper or, for calls, the upstream forbids. It hides the numbers of other workspaces, so their users get a 404 instead. */
function forbidden(contract: Contract): string | undefined {
  switch (contract.caller) {
    case 'workspace-member':
    case 'workspace-owner':
    case 'number-owner':
      return isOfCalls(contract)
        ? `The user is not allowed to do this, or ${callingIsOff}`
        : 'The user is not allowed to do this';
    case 'number-caller':
      return 'Calling is not enabled for this number, in its workspace, or on the platform';
    default:
      return isOfCalls(contract) ? capitalized(callingIsOff) : undefined;
  }
}

import type { Contract, Uses } from '#shared/operations/contract.ts';
import type { PublicCode } from '#shared/operations/error-response.ts';
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
    ...(Number(status) >= 400 && !(status in responses) && referTo('ErrorCode')),
    ...(status === '416' && describeHeaders({ 'content-range': 'The size of the file' }, true)),
    ...(codes.some((code) => codesWithRetryAfter.has(code)) && referTo('RetryAfter')),
    ...(isOfUpstream && referTo('UpstreamErrorCode')),
  };
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

/** Returns whether the operation's response depends on the upstream's. */
const callsUpstream = ({ upstream }: Uses) => upstream === 'call';

/** What the gateway itself rejects, without a code. */
const gatewayTexts = new Map([
  [413, ['The body is too large.']],
  [429, ['Too many requests. Try again after a second, then wait longer each time.']],
]);

const textOf = new Map(publicErrors.map(({ code, text }) => [code, text]));

/** The errors of an operation by status. Each description lists the codes that `X-Error-Code` can have. */
function failures(contract: Contract): Record<string, Json> {
  const codes = errorCodesByStatus(contract);
  const statuses = [...codes.keys(), 429, ...(contract.method === 'GET' ? [] : [413])];
  return Object.fromEntries(
    statuses.map((status) => {
      const ofService = (codes.get(status) ?? []).map((code) => `\`${code}\`: ${textOf.get(code)}`);
      const description = [...ofService, ...(gatewayTexts.get(status) ?? [])].join('\n\n');
      return [status, { description, content: contentOf(ref(status === 422 ? 'ValidationFailure' : 'Error')) }];
    }),
  );
}

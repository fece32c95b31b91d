import * as z from 'zod/mini';
import { targets } from '#shared/domain/subscribers/target.ts';
import { type Contract, needsToken, textsKey, type Uses } from '#shared/http/contract/contract.ts';
import { errorCodesByStatus, isOfCalls } from '#shared/http/contract/error-codes.ts';
import type { PublicCode } from '#shared/http/errors/public-code.ts';
import { codesWithRetryAfter, publicErrors } from '#shared/http/errors/public-errors.ts';

type Json = Record<string, unknown>;

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** The bodies of error responses (see `error-response.ts`). */
const errorSchemas = {
  Error: {
    type: 'object',
    properties: { message: { type: 'string', description: 'What went wrong, in the language of the response.' } },
    required: ['message'],
  },
  ValidationFailure: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first error, and how many more there are.' },
      errors: {
        type: 'object',
        description: 'The errors of each invalid field. Nested fields are dotted: `connection.webrtc.sdp`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
  },
};

/** Builds the OpenAPI 3.1 document of the operations, served at `baseUrl` (without a trailing slash). */
export function openApiDocument(operations: readonly Contract[], baseUrl: string): Json {
  const schemas: Json = { ...errorSchemas };
  const paths: Record<string, Json> = {};
  for (const contract of operations) {
    const operation = { [contract.method.toLowerCase()]: describeOperation(contract, schemas) };
    paths[contract.path] = { ...paths[contract.path], ...operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Messaging Service API',
      // The contract's own version. Its major number is the `/v2` of the paths; software releases do not change it.
      version: '2.0.0',
      description:
        'One REST API for the Flows of a workspace, their previews, and the webhooks, calls and media of its numbers. Texts (`description`, `message`) follow `Accept-Language` (English, Brazilian Portuguese or Spanish). Ids and codes never change. A member of a body or a query parameter that does not exist is an error (`422`), except in bodies that go to the messaging platform. A `PUT` takes back what `GET` returned: members that only responses have are ignored there. An error response has a code in `X-Error-Code`; the page `docs/errors.md` of this software says for each what it means, what to do, and whether to send the request again.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      headers: Object.fromEntries(
        Object.entries(commonHeaders).map(([id, { description, ...header }]) => [
          id,
          { description, schema: { type: 'string', ...('values' in header && { enum: header.values }) } },
        ]),
      ),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token created with the admin CLI.',
        },
      },
    },
  };
}

function describeOperation(contract: Contract, schemas: Json): Json {
  return {
    operationId: contract.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: contract.summary,
    ...(contract.description && { description: contract.description }),
    tags: [contract.tag],
    security: needsToken(contract) ? [{ accessToken: [] }] : [],
    parameters: [...pathParameters(contract), ...queryParameters(contract.query, schemas), ...keyParameter(contract)],
    ...(contract.body && {
      requestBody: {
        // No body counts as an empty object.
        required: !z.safeParse(contract.body, {}).success,
        content: jsonContent(schemaOf(contract.body, 'input', schemas)),
      },
    }),
    responses: withHeaders(contract, { ...failures(contract), ...successes(contract, schemas) }),
  };
}

function successes(contract: Contract, schemas: Json): Record<string, Json> {
  const entries = Object.entries(contract.responses).map(([status, { description, body, headers, mediaType }]) => [
    status,
    {
      description,
      ...(headers && { headers: describeHeaders(headers, true) }),
      ...(body && { content: { [mediaType ?? 'application/json']: { schema: schemaOf(body, 'output', schemas) } } }),
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

/** Whether a response with this status is kept for an `Idempotency-Key`. */
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
      { description, content: jsonContent({ $ref: ref(status === '422' ? 'ValidationFailure' : 'Error') }) },
    ]),
  );
}

function invalid(contract: Contract): string | undefined {
  const { body, query, takesFile } = contract;
  if (takesFile) return 'The file is missing, its type or size is not allowed, or there is a query parameter';
  if (body !== undefined || query !== undefined) return 'A field is missing or invalid, or does not exist';
  return needsToken(contract) ? 'There is a query parameter, but the operation has none' : undefined;
}

/** Whether the operation's response depends on the upstream's. */
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

const uuid = (description: string) => ({ schema: { type: 'string', format: 'uuid' }, description });

function pathParameters({ method, path }: Contract): Json[] {
  const known: Json = {
    workspace: uuid('Id of the workspace.'),
    flow: uuid('Id of the Flow.'),
    preview: uuid('Id of the preview.'),
    number: uuid('Id of an active number in a workspace of the user.'),
    delivery: uuid('Id of the delivery: the `webhook-id` of its notification.'),
    upload: uuid('Id of the upload.'),
    file: { schema: { type: 'string' }, description: 'Name of the file, as the page requests it.' },
    id: {
      schema: { type: 'string' },
      description:
        method === 'DELETE'
          ? 'Id of the file, uploaded or received.'
          : 'Id of the media object in the notification of the message.',
    },
    target: path.startsWith('/v2/workspaces/')
      ? { schema: { type: 'string', enum: ['webhook'] }, description: 'The target, always `webhook`.' }
      : {
          schema: { type: 'string', enum: targets },
          description: 'The target: `webhook`, `secondary_webhook` or `calls_webhook`.',
        },
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => ({ name, in: 'path', required: true, ...(known[name] as Json) }));
}

function keyParameter({ idempotency }: Contract): Json[] {
  if (!idempotency) return [];
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' };
  const description =
    'A text that is new for each new request, such as a UUID: 1 to 255 characters of visible ASCII. For 24 hours, a further request with the key and the same body does nothing and gets the response of the first one (docs/sending.md).';
  return [{ name: 'Idempotency-Key', in: 'header', required: false, schema, description }];
}

/** Query parameters with their parsed types, although they arrive as strings. */
function queryParameters(query: Contract['query'], schemas: Json): Json[] {
  if (!query) return [];
  const { properties, required = [] } = schemaOf(query, 'output', schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { allowEmptyValue, description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(allowEmptyValue === true && { allowEmptyValue }),
    schema,
    description,
  }));
}

/** Converts a zod schema to JSON Schema. Schemas with an id become components, which the others reference. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $defs,
    $schema: _,
    id,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Unknown members are removed from responses. They are an error only in the requests that say so.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json & { $defs?: Record<string, Json>; id?: string };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = withoutId(referring(definition));
  if (id === undefined) return referring(rest);
  schemas[id] = referring(rest);
  return { $ref: ref(id) };
}

const ref = (name: string) => `#/components/schemas/${name}`;

const withoutId = ({ id: _, ...schema }: Json) => schema;

/** Redirects the schema's references from its own definitions to the document's components, and describes its members. */
function referring(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (_, value) => (value?.[textsKey] ? described(value) : value));
}

function described({ [textsKey]: texts, ...schema }: Schema): Schema {
  const members = membersOf(schema);
  for (const [path, description] of Object.entries(texts as object)) {
    const described = members.filter((member) => member.path === path);
    if (described.length === 0) throw new Error(`A schema describes ${path}, which it does not have`);
    for (const { member } of described) member.description = description;
  }
  return schema;
}

/** The members of a schema and of those nested in it, with their paths: `status.id`, `categories[].code`. */
export function membersOf(schema: Schema, path = ''): { path: string; member: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [{ path: here, member }, ...membersOf(member, here)];
  });
  const items = schema.items ? membersOf(schema.items, `${path}[]`) : [];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...items, ...branches.flatMap((branch) => membersOf(branch, path))];
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

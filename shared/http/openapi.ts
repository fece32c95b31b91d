import * as z from 'zod/mini';
import type { Contract } from './contract.ts';

type Json = Record<string, unknown>;

/** Bodies that every error has, whatever its status (see `error-answer.ts`). */
const errorSchemas = {
  Error: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  ValidationFailure: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first text, and how many more there are.' },
      errors: {
        type: 'object',
        description: 'Texts for each invalid field, nested fields dotted.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
  },
};

/** The OpenAPI 3.1 document of the operations, served at `baseUrl` (no slash at its end). */
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
      // The contract's own version: its major number is the `/v2` of the paths. Releases of the software do not change
      // it.
      version: '2.0.0',
      description:
        'Flows of a workspace, their previews, and the webhooks, calls and media of its numbers, behind one REST API. Texts (`description`, `message`) follow `Accept-Language`: English, Brazilian Portuguese or Spanish; ids and codes never change.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token made with the admin command line.',
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
    parameters: [...pathParameters(contract.path), ...queryParameters(contract.query, schemas)],
    ...(contract.body && {
      requestBody: { required: true, content: jsonContent(schemaOf(contract.body, 'input', schemas)) },
    }),
    responses: withOptionalHeaders(contract, { ...failures(contract), ...successes(contract, schemas) }),
  };
}

function successes(contract: Contract, schemas: Json): Record<string, Json> {
  const entries = Object.entries(contract.answers).map(([status, { description, body, headers, mediaType }]) => [
    status,
    {
      description,
      ...(headers && { headers: describeHeaders(headers, true) }),
      ...(body && { content: { [mediaType ?? 'application/json']: { schema: schemaOf(body, 'output', schemas) } } }),
    },
  ]);
  return Object.fromEntries(entries);
}

function describeHeaders(headers: Readonly<Record<string, string>>, required: boolean): Json {
  const describe = (description: string) => ({
    description,
    ...(required && { required }),
    schema: { type: 'string' },
  });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, describe(text)]));
}

/** Errors from before the operation: there, it has put no headers on the answer. */
const statusesWithoutOperation = new Set(['401', '403', '404', '413', '415', '422', '508']);

function withOptionalHeaders({ optionalHeaders }: Contract, responses: Record<string, Json>): Json {
  if (!optionalHeaders) return responses;
  const described = describeHeaders(optionalHeaders, false);
  const entries = Object.entries(responses).map(([status, response]) => {
    if (statusesWithoutOperation.has(status)) return [status, response];
    return [status, { ...response, headers: { ...described, ...(response.headers as Json | undefined) } }];
  });
  return Object.fromEntries(entries);
}

function failures(contract: Contract): Record<string, Json> {
  // Reads ask the upstream only to settle what was abandoned, and do without when it fails.
  const callsUpstream = contract.uses.upstream === true && contract.method !== 'GET';
  const texts: Record<number, string | false | undefined> = {
    400:
      contract.body !== undefined || contract.method !== 'GET'
        ? 'Malformed body, no business account, or refused by the upstream'
        : undefined,
    401: needsToken(contract) && 'No valid access token',
    403: needsToken(contract) && forbidden(contract),
    404: needsToken(contract) && 'No such resource',
    413: contract.method !== 'GET' && 'The body is too large',
    415: contract.body !== undefined && 'The body is not JSON',
    422: (contract.body !== undefined || contract.query !== undefined) && 'A field is missing or invalid',
    429: 'Too many requests; `Retry-After` says when to come again',
    502: callsUpstream && 'The upstream failed',
    504: callsUpstream && 'The upstream did not answer in time',
    508: 'The service sent this request itself: the URL of a webhook or of an endpoint leads back to the service',
    ...contract.errors,
  };
  const described = Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(
    described.map(([status, description]) => [
      status,
      { description, content: jsonContent({ $ref: ref(status === '422' ? 'ValidationFailure' : 'Error') }) },
    ]),
  );
}

function forbidden({ caller }: Contract): string {
  return caller === 'number-caller' ? 'Calling is not enabled for this number' : 'Not permitted to this user';
}

function needsToken({ caller }: Contract): boolean {
  return caller !== 'public' && caller !== 'upstream';
}

/** Parameters of paths that name what has no id of ours. */
const foreignNames = new Set(['file', 'id']);

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(!foreignNames.has(String(name)) && { format: 'uuid' }) },
  }));
}

/** Query parameters as they are understood, not as the strings that they arrive as. */
function queryParameters(query: Contract['query'], schemas: Json): Json[] {
  if (!query) return [];
  const { properties, required = [] } = schemaOf(query, 'output', schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** JSON Schema of a zod schema; what has an id goes to the components and is referred to. */
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
      // What a schema does not name is ignored coming in and cut going out: neither is an error to announce.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json & { $defs?: Record<string, Json>; id?: string };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = withoutId(referring(definition));
  if (id === undefined) return referring(rest);
  schemas[id] = referring(rest);
  return { $ref: ref(id) };
}

const ref = (name: string) => `#/components/schemas/${name}`;

const withoutId = ({ id: _, ...schema }: Json) => schema;

/** The schema with its own definitions' references turned to the document's components. */
function referring(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

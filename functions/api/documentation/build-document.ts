import * as z from 'zod/mini';
import { type Contract, functionBehind, needsToken } from '#shared/operations/contract.ts';
import { operationExamples, schemaExamples } from './examples.ts';
import { notificationSchemas } from './notification-schemas.ts';
import { headerParameters, requestBodies } from './requests.ts';
import { headerComponents, responsesOf } from './responses.ts';
import { contentOf, errorSchemas, type Json, type Schema, schemaOf } from './schemas.ts';
import { webhooks } from './webhooks.ts';

interface Content {
  schema: Schema;
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Content> }>;
  [member: string]: unknown;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: { schemas: Record<string, Schema>; [member: string]: unknown };
  [member: string]: unknown;
}

/** Builds the OpenAPI 3.1 document of the operations, served at `baseUrl` (without a trailing slash). */
export function apiDocument(operations: readonly Contract[], baseUrl: string): ApiDocument {
  const schemas: Record<string, Schema> = { ...errorSchemas };
  const paths: ApiDocument['paths'] = {};
  for (const contract of operations) {
    const operation = { [contract.method.toLowerCase()]: describeOperation(contract, schemas) as Operation };
    paths[contract.path] = { ...paths[contract.path], ...operation };
  }
  Object.assign(schemas, notificationSchemas);
  for (const [name, example] of Object.entries(schemaExamples))
    schemas[name] = { ...schemas[name], examples: [example] };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Messaging Service API',
      // The contract's own version. Its major number is the `/v2` of the paths; software releases do not change it.
      version: '2.0.0',
      description:
        'One REST API for the Flows of a workspace, their previews, and the webhooks, calls and media of its numbers. Texts (`description`, `message`) follow `Accept-Language` (English, Brazilian Portuguese or Spanish). Ids and codes never change. A member of a body or a query parameter that does not exist is an error (`422`), except in bodies that go to the messaging platform. A `PUT` takes back what `GET` returned: members that only responses have are ignored there. Software that was written for the Graph API finds its paths under `/v2/graph`, which the page `docs/graph-paths.md` of this software lists. An error response has a code in `X-Error-Code`; the page `docs/errors.md` says for each what it means, what to do, and whether to send the request again.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas,
      headers: headerComponents,
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
  const operationId = operationIdOf(contract.name);
  const examples = operationExamples[operationId] ?? operationExamples[operationIdOf(functionBehind(contract))] ?? {};
  const requestBody = contract.body
    ? {
        // No body counts as an empty object.
        required: !z.safeParse(contract.body, {}).success,
        content: contentOf(schemaOf(contract.body, 'input', schemas), examples.request),
      }
    : requestBodies[operationId];
  return {
    operationId,
    summary: contract.summary,
    ...(contract.description && { description: contract.description }),
    tags: [contract.tag],
    security: needsToken(contract) ? [{ accessToken: [] }] : [],
    parameters: [
      ...pathParameters(contract),
      ...queryParameters(contract.query, schemas),
      ...keyParameter(contract),
      ...(headerParameters[operationId] ?? []),
    ],
    ...(requestBody && { requestBody }),
    responses: responsesOf(contract, examples, schemas),
  };
}

const operationIdOf = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

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
          schema: { type: 'string', pattern: '^(secondary_webhook|calls_webhook|[a-z][a-z0-9-]{0,31})$' },
          description:
            'The name of the target: `webhook`, `secondary_webhook`, `calls_webhook`, or that of one with a name of its own.',
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

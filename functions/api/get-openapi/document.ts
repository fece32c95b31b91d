import type { Contract } from '#shared/http/contract/contract.ts';
import { openApiDocument } from '#shared/http/contract/openapi.ts';
import { operationExamples, schemaExamples } from './documentation/examples.ts';
import { memberDescriptions } from './documentation/members.ts';
import { headerParameters, parameterDescriptions } from './documentation/parameters.ts';
import { requestBodies } from './documentation/requests.ts';
import { notificationSchemas, webhooks } from './documentation/webhooks.ts';

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

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

/** The OpenAPI document of `openApiDocument` with what the contracts do not say: descriptions, examples, webhooks. */
export function apiDocument(operations: readonly Contract[], baseUrl: string): ApiDocument {
  const { components, paths, ...rest } = openApiDocument(operations, baseUrl) as unknown as ApiDocument;
  // A copy by way of text: the same object can stand for several members, whose descriptions differ.
  const notifications: Record<string, Schema> = JSON.parse(JSON.stringify(notificationSchemas));
  const schemas = { ...components.schemas, ...notifications };
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) methods[method] = documented(operation);
  }
  for (const [name, schema] of Object.entries(schemas)) describeMembers(name, schema);
  for (const [name, example] of Object.entries(schemaExamples))
    Object.assign(schemas[name] ?? {}, { examples: [example] });
  return { ...rest, paths, webhooks, components: { ...components, schemas } };
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

function describeMembers(name: string, schema: Schema): void {
  for (const { path, member } of membersOf(schema)) {
    const description = memberDescriptions[name]?.[path];
    if (description !== undefined) member.description = description;
  }
}

function documented(operation: Operation): Operation {
  const { operationId, parameters, responses, requestBody: checked, ...rest } = operation;
  const { request, responses: examples = {} } = operationExamples[operationId] ?? {};
  for (const parameter of parameters) {
    const description =
      parameterDescriptions[`${operationId}.${parameter.name}`] ?? parameterDescriptions[parameter.name];
    if (description !== undefined) parameter.description = description;
  }
  const requestBody = checked ?? (requestBodies[operationId] as Operation['requestBody']);
  if (checked) addToContent(`${operationId}.request`, checked.content, request);
  for (const [status, { content }] of Object.entries(responses)) {
    addToContent(`${operationId}.${status}`, content, examples[status]);
  }
  return {
    operationId,
    ...rest,
    parameters: [...parameters, ...((headerParameters[operationId] ?? []) as Operation['parameters'])],
    ...(requestBody && { requestBody }),
    responses,
  };
}

/** Schemas without a name are described where they stand. */
function addToContent(name: string, content: Record<string, Content> | undefined, example: unknown): void {
  for (const body of Object.values(content ?? {})) {
    describeMembers(name, body.schema);
    if (example !== undefined) body.example = example;
  }
}

import type { Contract } from '#shared/http/contract/contract.ts';
import { operationExamples, schemaExamples } from './documentation/examples.ts';
import { headerParameters, requestBodies } from './documentation/requests.ts';
import { notificationSchemas, webhooks } from './documentation/webhooks.ts';
import { openApiDocument, type Schema } from './openapi.ts';

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

/** The OpenAPI document of `openApiDocument` with what the contracts do not say: examples, raw bodies, webhooks. */
export function apiDocument(operations: readonly Contract[], baseUrl: string): ApiDocument {
  const { components, paths, ...rest } = openApiDocument(operations, baseUrl) as unknown as ApiDocument;
  const schemas: Record<string, Schema> = { ...components.schemas, ...notificationSchemas };
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) methods[method] = documented(operation);
  }
  for (const [name, example] of Object.entries(schemaExamples))
    schemas[name] = { ...schemas[name], examples: [example] };
  return { ...rest, paths, webhooks, components: { ...components, schemas } };
}

function documented(operation: Operation): Operation {
  const { operationId, parameters, responses, requestBody: checked, ...rest } = operation;
  const examples = operationExamples[operationId] ?? {};
  const requestBody = checked ?? (requestBodies[operationId] as Operation['requestBody']);
  if (checked) addExample(checked.content, examples.request);
  for (const [status, { content }] of Object.entries(responses)) addExample(content, examples[Number(status)]);
  return {
    operationId,
    ...rest,
    parameters: [...parameters, ...((headerParameters[operationId] ?? []) as Operation['parameters'])],
    ...(requestBody && { requestBody }),
    responses,
  };
}

function addExample(content: Record<string, Content> | undefined, example: unknown): void {
  if (example === undefined) return;
  for (const body of Object.values(content ?? {})) body.example = example;
}

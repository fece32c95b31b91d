import { expect } from 'vitest';
// biome-ignore lint/style/noRestrictedImports: only the classic build reads JSON Schema, and no function bundles this.
import { fromJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { apiDocument } from '#functions/api/documentation/build-document.ts';
import { operations } from '#functions/operations.ts';
import { parseExactJson } from '#shared/base/json.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { checkDeclaredError } from '../declared-error.ts';

export interface CallOptions {
  /** The values for the path's braces, inserted unchanged. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON, or unchanged if it is a string or bytes. */
  body?: unknown;
  /** `null` sends no token. */
  token?: string | null;
  headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The exact text of the response. */
  text: string;
  /** The message of an error; empty for a success. */
  message: string;
  body: unknown;
}

/** The body of a contract's successes. */
export type SuccessBody<C extends Contract> = {
  [Status in keyof C['responses'] & number]: C['responses'][Status]['body'] extends z.ZodMiniType
    ? z.output<C['responses'][Status]['body']>
    : undefined;
}[keyof C['responses'] & number];

/**
 * A client over the operation table. It checks each response against the OpenAPI document and the contract, so every
 * call of a test also tests the description. `defaults` apply unless a call overrides them.
 */
export function apiClient(baseUrl: string, defaults: Pick<CallOptions, 'params' | 'token'> = {}) {
  /** Returns the response, whatever its status. */
  async function call(contract: Contract, options: CallOptions = {}): Promise<Reply> {
    const token = options.token === undefined ? defaults.token : options.token;
    const response = await fetch(address(baseUrl, contract, { ...defaults.params, ...options.params }, options.query), {
      method: contract.method,
      headers: {
        ...(token != null && { authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: encode(options.body) }),
    });
    const reply = await read(response);
    checkResponse(contract, reply);
    return reply;
  }

  /** Returns the body of a success; throws for any other response. */
  async function succeed<const C extends Contract>(contract: C, options: CallOptions = {}): Promise<SuccessBody<C>> {
    const reply = await call(contract, options);
    if (reply.status >= 300) throw new Error(`${contract.name} answered ${reply.status} ${reply.text.slice(0, 500)}`);
    return reply.body as SuccessBody<C>;
  }

  return { call, succeed };
}

function address(
  baseUrl: string,
  contract: Contract,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${contract.name} needs the path parameter ${name}`);
    return value;
  });
  const search = new URLSearchParams(query).toString();
  return baseUrl + path + (search && `?${search}`);
}

function encode(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const message = response.ok ? '' : String((body as { message?: unknown } | undefined)?.message);
  return { status: response.status, headers: response.headers, text, message, body };
}

const document = apiDocument(operations, '');

/** A response of the gateway itself, which lacks the service's headers. */
const gatewayMessages: Readonly<Record<number, string>> = { 413: 'Request Entity Too Large' };

/** Fails the test if the response does not match the document and the contract. */
function checkResponse(contract: Contract, reply: Reply): void {
  const { status, headers, text, body } = reply;
  const documented = document.paths[contract.path]?.[contract.method.toLowerCase()]?.responses[status];
  if (!documented) throw new Error(`The document has no ${status} for ${contract.name}, which answered ${text}`);

  const [[type, { schema }] = [null, { schema: undefined }]] = Object.entries(documented.content ?? {});
  expect(headers.get('content-type'), 'content type').toBe(type);
  if (schema)
    expect(z.safeParse(documentedSchema(schema), body).error, `${contract.name} ${status}: ${text}`).toBe(undefined);
  else expect(text, 'no body').toBe('');
  for (const [name, { required }] of Object.entries(documented.headers ?? {})) {
    if (required) expect(headers.get(name), name).not.toBeNull();
  }

  if (reply.message === gatewayMessages[status]) return;
  expect(headers.get('x-request-id'), 'x-request-id').toMatch(/^[0-9a-f-]{36}$/);
  if (status >= 400) checkError(contract, reply);
  else checkMembers(contract, reply);
}

/** The members are exactly those of the contract, in its order, if parsing with the schema changes nothing. */
function checkMembers(contract: Contract, { status, text }: Reply): void {
  const schema = contract.responses[status]?.body;
  if (schema) expect(text).toBe(JSON.stringify(z.parse(schema, parseExactJson(text))));
}

function checkError(contract: Contract, { status, headers, body, message }: Reply): void {
  checkDeclaredError(contract, status, (name) => headers.get(name));
  expect(Object.keys(body as object)).toEqual(status === 422 ? ['message', 'errors'] : ['message']);
  expect(message.trim()).not.toBe('');
}

const schemas = new Map<object, z.core.$ZodType>();

function documentedSchema(schema: object): z.core.$ZodType {
  let parsed = schemas.get(schema);
  if (!parsed) {
    const definitions = { ...schema, $defs: document.components.schemas };
    parsed = fromJSONSchema(JSON.parse(JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/$defs/')));
    schemas.set(schema, parsed);
  }
  return parsed;
}

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { log } from '#shared/base/logger.ts';
import { stringify } from '#shared/http/raw-json.ts';
import type { Contract } from './contract.ts';

/** Builds the response of an operation that succeeds. */
export const ok = <B>(body: B) => ({ status: 200, body }) as const;

/** Builds the response of an operation that created a resource. `location` is the resource's address. */
export const created = <B>(body: B, location?: string) =>
  ({ status: 201, body, ...(location !== undefined && { headers: { location } }) }) as const;

export const noContent = () => ({ status: 204 }) as const;

/** One of the responses that the contract declares. */
export type OperationResponse<C extends Contract> = {
  [Status in keyof C['responses'] & number]: {
    status: Status;
    headers?: Record<string, string>;
  } & (C['responses'][Status]['body'] extends z.ZodMiniType
    ? { body: z.input<C['responses'][Status]['body']> }
    : { body?: undefined });
}[keyof C['responses'] & number];

/** Headers that instruct browsers and caches. All others are for clients, so a contract declares them. */
const notDeclared: readonly string[] = [
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'vary',
  'x-robots-tag',
];

/**
 * Builds the response that the contract declares for the status. Throws if the status or a header is not declared, and
 * if the body of a read does not match: that is our own fault.
 */
export function respond<C extends Contract>(
  contract: C,
  response: OperationResponse<C>,
): APIGatewayProxyStructuredResultV2 {
  const declared = contract.responses[response.status];
  if (declared === undefined) throw new Error(`${contract.name} does not declare the status ${response.status}`);
  const names = [...notDeclared, ...Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase())];
  const undeclared = Object.keys(response.headers ?? {}).find((name) => !names.includes(name.toLowerCase()));
  if (undeclared !== undefined) throw new Error(`${contract.name} does not declare the header ${undeclared}`);
  return {
    statusCode: response.status,
    headers: { ...(declared.mediaType && { 'content-type': declared.mediaType }), ...response.headers },
    ...(declared.body && serialize(declaredBody(contract, declared.body, response.body), declared.mediaType)),
  };
}

/**
 * The body with the members that the schema has. What an operation has done cannot be undone, so after a change even a
 * body that the schema does not expect is sent: a 500 would say that the message, the Flow or the call may not exist.
 */
function declaredBody({ name, method }: Contract, schema: z.ZodMiniType, body: unknown): unknown {
  const { success, data, error } = z.safeParse(schema, body);
  if (success) return data;
  if (method === 'GET') throw error;
  const faults = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
  log('error', 'response.unexpected', { operation: name, faults });
  return body;
}

function serialize(body: unknown, mediaType: string | undefined) {
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: mediaType === undefined ? stringify(body) : String(body) };
}

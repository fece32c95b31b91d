import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { stringify } from '../contract/raw-json.ts';

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
 * Builds the response that the contract declares for the status. Throws if the body does not match or a header is not
 * declared: that is our own fault.
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
    ...(declared.body && serialize(z.parse(declared.body, response.body), declared.mediaType)),
  };
}

function serialize(body: unknown, mediaType: string | undefined) {
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: mediaType === undefined ? stringify(body) : String(body) };
}

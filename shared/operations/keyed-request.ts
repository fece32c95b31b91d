import { createHash } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { parseUuid } from '#shared/base/ids.ts';
import { canonicalNumber, isNumber, isObject } from '#shared/base/json.ts';
import { invalidField } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { type HttpEvent, languageOf } from '#shared/http/request.ts';
import type { KeptResponse, KeyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import { type AfterUnknownOutcome, type Run, runKeyed } from '#shared/idempotency/run-keyed.ts';
import type { RequestContext } from './middleware.ts';

interface KeyedOperation {
  name: string;
  afterUnknownOutcome: AfterUnknownOutcome;
  event: HttpEvent;
  context: RequestContext;
  now: Clock;
  execute: (run: Run) => Promise<APIGatewayProxyStructuredResultV2>;
  /** The response to an error that the key keeps. */
  reject: (error: Error) => Promise<APIGatewayProxyStructuredResultV2>;
}

/** Runs an operation for a request with an `Idempotency-Key`, or replays the response that it had. */
export type RunWithKey = (key: string, operation: KeyedOperation) => Promise<APIGatewayProxyStructuredResultV2>;

/** Only operations that take a key get this as a dependency, so the bundles of the others do not contain it. */
export const keyedRequests =
  (store: KeyedRequestStore): RunWithKey =>
  (key, operation) =>
    runWithKey(key, operation, store);

async function runWithKey(
  key: string,
  { name, afterUnknownOutcome, event, context, now, execute, reject }: KeyedOperation,
  store: KeyedRequestStore,
): Promise<APIGatewayProxyStructuredResultV2> {
  if (!/^[!-~]{1,255}$/.test(key)) throw invalidField('Idempotency-Key', 'idempotency_key');

  /** The language is part of the response: its texts may be in another one than those of this request. */
  const kept = ({ statusCode = 200, headers, body }: APIGatewayProxyStructuredResultV2): KeptResponse => ({
    status: statusCode,
    headers: {
      ...context.addedHeaders,
      ...(headers as KeptResponse['headers']),
      'content-language': languageOf(event),
    },
    ...(body !== undefined && { body }),
  });

  const { user, workspace, number } = context.resources;
  const work = {
    key: hash([user, name, placeOf(event), key]),
    body: hash(contentOf(context.input)),
    subscriber: (number ?? workspace)?.id,
    afterUnknownOutcome,
    run: async (run: Run) => kept(await execute(run)),
    rejection: async (error: Error) => kept(await reject(error)),
  };
  const { status, headers, body, replayed } = await runKeyed(work, { store, now });
  return {
    statusCode: status,
    headers: { ...headers, ...(replayed && { 'idempotency-replayed': 'true' }) },
    ...(body !== undefined && { body }),
  };
}

/** What makes requests the same: of a file, its type and its bytes, and not how a form wraps them. */
function contentOf({ body, file }: RequestContext['input']): unknown {
  return file ? [file.type, createHash('sha256').update(file.bytes).digest('hex')] : canonical(body);
}

/** The parameters of the path. Ids that differ only in case are the same. */
const placeOf = ({ pathParameters = {} }: HttpEvent) =>
  canonical(Object.fromEntries(Object.entries(pathParameters).map(([name, id]) => [name, parseUuid(id) ?? id])));

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * The value with the members of all objects in one order and all numbers in one form: equal values have equal texts.
 */
function canonical(value: unknown): unknown {
  if (isNumber(value)) return canonicalNumber(value);
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member)]));
}

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { slice } from '../http/byte-source.ts';
import { type ControlRoute, get, nothing, on } from '../http/control-route.ts';
import { type HttpResponse, jsonResponse } from '../http/http.ts';

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('error'),
    status: z.int().check(z.gte(400), z.lte(599)),
    error: z.looseObject({ code: z.int() }),
    headers: z.optional(z.record(z.string(), z.string())),
  }),
  // Never responds. Nothing was done.
  z.strictObject({ kind: z.literal('timeout') }),
  // Never responds, although all was done.
  z.strictObject({ kind: z.literal('accept_then_timeout') }),
  // Ends the connection, although all was done.
  z.strictObject({ kind: z.literal('accept_then_reset') }),
  // Ends the connection. Nothing was done.
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('slow'), ms: z.int().check(z.gte(0), z.lte(600_000)) }),
  // A 200 with a proxy's page (nothing was done), or with the first half of the true response (all was done).
  z.strictObject({ kind: z.literal('malformed'), body: z._default(z.enum(['html', 'truncated_json']), 'html') }),
]);

const faultRuleSchema = z.strictObject({
  match: z._default(
    z.strictObject({
      method: z.optional(z.string()),
      // An operation's name (`create_flow`), or a path without the version, with `*` for a segment (`/*/publish`).
      path: z.optional(z.string()),
    }),
    {},
  ),
  // How many requests the fault applies to.
  times: z._default(z.int().check(z.gte(1)), 1),
  fault: faultSchema,
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultRule = z.infer<typeof faultRuleSchema>;

/** What a request gets: a response, no response at all, or the end of its connection. */
export type Outcome = HttpResponse | 'hang' | 'reset';

/** The properties of a request that a fault can match. `path` has no version. */
export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
}

/** The faults that wait for a request, in the order in which they were set. */
export class FaultQueue {
  readonly #onChange: (rules: readonly FaultRule[]) => void;
  #rules: readonly FaultRule[] = [];

  constructor(onChange: (rules: readonly FaultRule[]) => void = () => undefined) {
    this.#onChange = onChange;
  }

  get rules(): readonly FaultRule[] {
    return this.#rules;
  }

  add(rule: FaultRule): void {
    this.#change([...this.#rules, rule]);
  }

  clear(): void {
    this.#change([]);
  }

  /** Takes the fault for this request. The request counts towards the fault's number of times. */
  take(target: FaultTarget): Fault | undefined {
    const hit = this.#rules.find((rule) => matches(rule, target));
    if (hit === undefined) return undefined;
    const left = this.#rules.map((rule) => (rule === hit ? { ...rule, times: rule.times - 1 } : rule));
    this.#change(left.filter((rule) => rule.times > 0));
    return hit.fault;
  }

  #change(rules: readonly FaultRule[]): void {
    this.#rules = rules;
    this.#onChange(rules);
  }
}

/** Injects faults. */
export function faultControl(faults: FaultQueue): ControlRoute[] {
  const list = () => ({ data: faults.rules });
  return [
    get('/faults', list),
    on('POST', '/faults', faultRuleSchema, (rule) => {
      faults.add(rule);
      return list();
    }),
    on('DELETE', '/faults', nothing, () => {
      faults.clear();
      return list();
    }),
  ];
}

function matches({ match }: FaultRule, { method, path, operation }: FaultTarget): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  return match.path === undefined || match.path === operation || matchesPath(match.path, path);
}

function matchesPath(pattern: string, path: string): boolean {
  const [expected, actual] = [pattern.split('/'), path.split('/')];
  return expected.length === actual.length && expected.every((segment, i) => segment === '*' || segment === actual[i]);
}

interface FaultedRequest {
  /** Executes the request and returns the true response. */
  readonly execute: () => Promise<HttpResponse>;
  readonly traceId: string;
  /** Ends the wait of a slow response. */
  readonly signal: AbortSignal;
}

/** Applies a fault to a request. */
export async function withFault(fault: Fault, { execute, traceId, signal }: FaultedRequest): Promise<Outcome> {
  switch (fault.kind) {
    case 'error':
      return errorResponse(fault, traceId);
    case 'timeout':
      return 'hang';
    case 'reset':
      return 'reset';
    case 'accept_then_timeout':
      await execute();
      return 'hang';
    case 'accept_then_reset':
      await execute();
      return 'reset';
    case 'slow':
      await sleep(fault.ms, undefined, { signal });
      return execute();
    case 'malformed':
      return fault.body === 'html' ? proxyPage : firstHalf(await execute());
  }
}

const proxyPage: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><head><title>Error</title></head><body>Something went wrong.</body></html>',
};

function errorResponse({ status, error, headers }: Extract<Fault, { kind: 'error' }>, traceId: string): HttpResponse {
  const message = `(#${error.code}) Injected fault`;
  const defaults = { message, type: 'OAuthException', is_transient: false, fbtrace_id: traceId };
  return jsonResponse(status, { error: { ...defaults, ...error } }, headers);
}

function firstHalf(response: HttpResponse): HttpResponse {
  const { body } = response;
  const half =
    typeof body === 'string' ? body.slice(0, Math.ceil(body.length / 2)) : slice(body, 0, Math.ceil(body.size / 2));
  return { ...response, status: 200, body: half };
}

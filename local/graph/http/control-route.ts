import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { HttpResponse } from './http.ts';

/** A request to the control surface. */
export interface ControlCall {
  readonly method: string;
  readonly pathname: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** The arguments of a route. */
export interface ControlRequest {
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** One operation of the control surface. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/simulator`, with `{name}` for a parameter. */
  readonly path: string;
  /** Throws `ControlError` or `GraphError`. */
  handle(request: ControlRequest): HttpResponse | Promise<HttpResponse>;
}

/** An error response of the control surface. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function findControlRoute(routes: readonly ControlRoute[], { method, pathname, body }: ControlCall) {
  for (const route of routes.filter((candidate) => candidate.method === method)) {
    const params = matchPath(`/simulator${route.path}`, pathname);
    if (params !== undefined) return { route, request: { params, body } };
  }
  return undefined;
}

function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  const [expected, actual] = [pattern.split('/'), pathname.split('/').map(decodeSegment)];
  if (expected.length !== actual.length) return undefined;
  const params: [string, string][] = [];
  for (const [i, segment] of expected.entries()) {
    const value = actual[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined && segment !== value) return undefined;
    if (name !== undefined) params.push([name, value]);
  }
  return Object.fromEntries(params);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Reads a JSON body; no body is an empty object. Throws a 400 that says where the body does not fit the schema. */
export function readJson<Schema extends z.ZodMiniType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  const value = body.length === 0 ? {} : parseJson(new TextDecoder().decode(body));
  if (value === undefined) throw new ControlError(400, 'The body is not valid JSON');
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ControlError(400, z.prettifyError(parsed.error));
}

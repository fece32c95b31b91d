import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json.ts';
import { GraphError } from './graph-errors.ts';
import { BytesResponse, type HttpResponse, jsonResponse } from './http.ts';

/** A request to the control surface. */
export interface ControlCall {
  readonly method: string;
  readonly pathname: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** The decoded parameters of a path. */
export type PathParams = Readonly<Record<string, string>>;

/** One operation of the control surface. */
export interface ControlRoute {
  readonly method: string;
  /** The path below `/simulator`, with `{name}` for a parameter. */
  readonly path: string;
  /** Returns the JSON of a 200 or a `BytesResponse`. Throws `ControlError` or `GraphError`. */
  handle(params: PathParams, body: Uint8Array): unknown;
}

/** An error response of the control surface. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A route that shows something. */
export function get(path: string, handle: (params: PathParams) => unknown): ControlRoute {
  return { method: 'GET', path, handle };
}

/** A route that does what a body of this form asks for. No body is an empty object. */
export function on<Schema extends z.ZodMiniType>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  schema: Schema,
  handle: (body: z.output<Schema>, params: PathParams) => unknown,
): ControlRoute {
  return { method, path, handle: (params, body) => handle(readJson(schema, body), params) };
}

/** The body of a request that says all by its path. */
export const nothing = z.strictObject({});

export function isControlPath(pathname: string): boolean {
  return pathname === '/simulator' || pathname.startsWith('/simulator/');
}

/** The control surface: tests and developers inspect and steer the simulated upstream with it. It needs no token. */
export async function respondAsControl(routes: readonly ControlRoute[], call: ControlCall): Promise<HttpResponse> {
  const { method, pathname, body } = call;
  try {
    // The list of the control surface's routes.
    if (pathname === '/simulator') {
      return jsonResponse(200, { data: routes.map((route) => `${route.method} /simulator${route.path}`) });
    }
    requireJson(call);
    for (const route of routes.filter((one) => one.method === method)) {
      const params = matchPath(`/simulator${route.path}`, pathname);
      if (params === undefined) continue;
      const result = await route.handle(params, body);
      return result instanceof BytesResponse ? result : jsonResponse(200, result);
    }
    throw new ControlError(404, `The simulator has no ${method} ${pathname}`);
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined) throw error;
    return jsonResponse(status, { error: { message: error instanceof Error ? error.message : String(error) } });
  }
}

/** A web page can send a body of any other type here without a preflight request. */
function requireJson({ body, contentType = '' }: ControlCall): void {
  if (body.length === 0 || /^application\/json\s*(;|$)/i.test(contentType)) return;
  throw new ControlError(415, 'The body must be JSON. Send content-type: application/json with it.');
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof ControlError) return error.status;
  if (error instanceof GraphError) return ['object_missing', 'call_unknown'].includes(error.reason) ? 404 : 409;
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

/** Throws a 400 that says where the body does not fit the schema. */
function readJson<Schema extends z.ZodMiniType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  const value = body.length === 0 ? {} : parseJson(new TextDecoder().decode(body));
  if (value === undefined) throw new ControlError(400, 'The body is not valid JSON');
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ControlError(400, z.prettifyError(parsed.error));
}

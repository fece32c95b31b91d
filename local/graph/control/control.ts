import { GraphError } from '../core/graph-errors.ts';
import { type ControlCall, ControlError, type ControlRoute, findControlRoute } from '../http/control-route.ts';
import { type HttpResponse, jsonResponse } from '../http/http.ts';

export function isControlPath(pathname: string): boolean {
  return pathname === '/simulator' || pathname.startsWith('/simulator/');
}

/** The control surface: tests and developers inspect and steer the simulated upstream with it. It needs no token. */
export async function respondAsControl(routes: readonly ControlRoute[], call: ControlCall): Promise<HttpResponse> {
  try {
    if (call.pathname === '/simulator') return listing(routes);
    requireJson(call);
    const found = findControlRoute(routes, call);
    if (found === undefined) throw new ControlError(404, `The simulator has no ${call.method} ${call.pathname}`);
    return await found.route.handle(found.request);
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

/** The list of the control surface's routes. */
function listing(routes: readonly ControlRoute[]): HttpResponse {
  return jsonResponse(200, { data: routes.map(({ method, path }) => `${method} /simulator${path}`) });
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof ControlError) return error.status;
  if (error instanceof GraphError) return ['object_missing', 'call_unknown'].includes(error.reason) ? 404 : 409;
  return undefined;
}

import * as z from 'zod/mini';
import { type ControlCall, ControlError, readJson } from './control-call.ts';
import { type EndpointControlOptions, exchangeData } from './endpoint-control.ts';
import { type EventControlOptions, sendEvents, subscribe } from './event-control.ts';
import { type FaultQueue, faultRuleSchema } from './faults.ts';
import type { FlowStore } from './flow-store.ts';
import { MODERATED_STATUSES, moderated } from './flows.ts';
import { GraphError } from './graph-errors.ts';
import { type HttpAnswer, jsonAnswer } from './http.ts';
import type { RequestLog } from './request-log.ts';

export interface ControlOptions extends EventControlOptions, EndpointControlOptions {
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  readonly store: FlowStore;
}

const FLOW_PATH = /^\/simulator\/flows\/(?<id>[^/]+)\/(?<resource>status|flow\.json|exchange)$/;

const moderationSchema = z.object({ status: z.enum(MODERATED_STATUSES) });

export function isControlPath(pathname: string): boolean {
  return pathname === '/simulator' || pathname.startsWith('/simulator/');
}

/** The surface by which tests and developers see and steer the simulated upstream. It asks for no token. */
export async function answerControl(options: ControlOptions, call: ControlCall): Promise<HttpAnswer> {
  try {
    return await dispatch(options, call);
  } catch (error) {
    if (error instanceof ControlError || error instanceof GraphError) {
      return jsonAnswer(error instanceof ControlError ? error.status : 404, { error: { message: error.message } });
    }
    throw error;
  }
}

async function dispatch(options: ControlOptions, { method, pathname, body }: ControlCall): Promise<HttpAnswer> {
  const { faults, log, store, sender } = options;
  switch (`${method} ${pathname}`) {
    case 'POST /simulator/faults':
      faults.add(readJson(faultRuleSchema, body));
      return jsonAnswer(200, { data: faults.rules });
    case 'GET /simulator/faults':
      return jsonAnswer(200, { data: faults.rules });
    case 'DELETE /simulator/faults':
      faults.clear();
      return jsonAnswer(200, { data: [] });
    case 'GET /simulator/requests':
      return jsonAnswer(200, { data: log.entries });
    case 'GET /simulator/flows':
      return jsonAnswer(200, { data: store.all() });
    case 'POST /simulator/webhook':
      return jsonAnswer(200, await subscribe(options, body));
    case 'POST /simulator/events':
      return jsonAnswer(200, await sendEvents(options, body));
    case 'GET /simulator/events':
      return jsonAnswer(200, { data: sender.sent });
    default:
      return answerFlow(options, { method, pathname, body });
  }
}

async function answerFlow(options: ControlOptions, { method, pathname, body }: ControlCall): Promise<HttpAnswer> {
  const { store, now } = options;
  const { id, resource } = FLOW_PATH.exec(pathname)?.groups ?? {};
  if (id !== undefined && method === 'GET' && resource === 'flow.json') {
    return { ...jsonAnswer(200, null), body: store.get(id).flow_json ?? '{}' };
  }
  if (id !== undefined && method === 'POST' && resource === 'status') {
    const flow = moderated(store.get(id), readJson(moderationSchema, body).status, now());
    if (flow === undefined) throw new ControlError(409, 'Monitoring moves only Flows that are published');
    return jsonAnswer(200, store.save(flow));
  }
  if (id !== undefined && method === 'POST' && resource === 'exchange') {
    return jsonAnswer(200, await exchangeData(options, store.get(id), body));
  }
  throw new ControlError(404, `The simulator has no ${method} ${pathname}`);
}

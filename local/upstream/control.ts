import { type FaultQueue, parseFaultRule } from './faults.ts';
import type { FlowStore } from './flow-store.ts';
import { MODERATED_STATUSES, type ModeratedStatus, moderated } from './flows.ts';
import { GraphError } from './graph-errors.ts';
import { type HttpAnswer, jsonAnswer } from './http.ts';
import type { RequestLog } from './request-log.ts';

export interface ControlOptions {
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  readonly store: FlowStore;
  readonly now: () => number;
}

interface ControlCall {
  readonly method: string;
  readonly pathname: string;
  readonly body: Uint8Array;
}

class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const FLOW_PATH = /^\/simulator\/flows\/(?<id>[^/]+)\/(?<resource>status|flow\.json)$/;

export function isControlPath(pathname: string): boolean {
  return pathname === '/simulator' || pathname.startsWith('/simulator/');
}

/** The surface by which tests and developers see and steer the simulated upstream. It asks for no token. */
export function answerControl(options: ControlOptions, call: ControlCall): HttpAnswer {
  try {
    return dispatch(options, call);
  } catch (error) {
    if (error instanceof ControlError || error instanceof GraphError) {
      return jsonAnswer(error instanceof ControlError ? error.status : 404, { error: { message: error.message } });
    }
    throw error;
  }
}

function dispatch(options: ControlOptions, { method, pathname, body }: ControlCall): HttpAnswer {
  const { faults, log, store } = options;
  switch (`${method} ${pathname}`) {
    case 'POST /simulator/faults':
      faults.add(readFaultRule(body));
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
    default:
      return answerFlow(options, { method, pathname, body });
  }
}

function answerFlow({ store, now }: ControlOptions, { method, pathname, body }: ControlCall): HttpAnswer {
  const { id, resource } = FLOW_PATH.exec(pathname)?.groups ?? {};
  if (id !== undefined && method === 'GET' && resource === 'flow.json') {
    return { ...jsonAnswer(200, null), body: store.get(id).flow_json ?? '{}' };
  }
  if (id !== undefined && method === 'POST' && resource === 'status') {
    const flow = moderated(store.get(id), readStatus(body), now());
    if (flow === undefined) throw new ControlError(409, 'Monitoring moves only Flows that are published');
    return jsonAnswer(200, store.save(flow));
  }
  throw new ControlError(404, `The simulator has no ${method} ${pathname}`);
}

function readFaultRule(body: Uint8Array) {
  try {
    return parseFaultRule(readJson(body));
  } catch (error) {
    throw new ControlError(400, error instanceof Error ? error.message : String(error));
  }
}

function readStatus(body: Uint8Array): ModeratedStatus {
  const { status } = Object(readJson(body));
  const known = MODERATED_STATUSES.find((candidate) => candidate === status);
  if (known === undefined) throw new ControlError(400, `status must be one of ${MODERATED_STATUSES.join(', ')}`);
  return known;
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new ControlError(400, 'The body is not valid JSON');
  }
}

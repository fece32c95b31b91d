import type { CallDependencies } from '#functions/calls/compose.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { upstreamCalls } from '#shared/calls/calls-graph.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { parseGraphError } from '#shared/graph/graph-error.ts';
import type { Contract } from '#shared/operations/contract.ts';
import type { KeyedDependencies } from '#shared/operations/create-handler.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Handler, RequestOptions } from '../aws/http-event.ts';
import { startApiWorld } from './api-world.ts';

export interface CallOperation {
  contract: Contract;
  makeHandler: (dependencies: CallDependencies & KeyedDependencies) => Handler;
}

/** The purpose of a request to Graph, according to its members. */
export interface CallBody {
  action: string;
  call_id?: string;
  session?: { sdp_type: string; sdp: string };
}

/**
 * Runs the operations on calls on the real stores of a DynamoDB engine, with a Graph that responds as the test says.
 */
export async function startCallWorld() {
  const { call, newNumber, close, dependencies } = await startApiWorld();
  const requests: GraphRequest[] = [];
  const world = {
    /** The requests to Graph, in order. */
    requests,

    /** How Graph responds; by default, it accepts everything. */
    graph: (_request: GraphRequest): unknown => ({ messaging_product: 'whatsapp', success: true }),

    /** The bodies of the requests to Graph. */
    bodies: () => requests.map(({ json }) => json as CallBody),

    /** A number of the caller that can make calls. */
    newNumber: (members: Partial<PhoneNumber> = {}) => newNumber({ calling_enabled: true, ...members }),

    call({ contract, makeHandler }: CallOperation, number: Pick<PhoneNumber, 'id'>, options: RequestOptions = {}) {
      const upstream = () =>
        upstreamCalls(async (request) => {
          requests.push(request);
          return world.graph(request);
        });
      const { access, keyedRequests, now, mark } = dependencies;
      const make = () => makeHandler({ access, keyedRequests, now, mark, upstream });
      return call({ contract, makeHandler: make }, number, options);
    },

    /** Resets Graph: it accepts everything and has no requests yet. */
    reset() {
      requests.length = 0;
      world.graph = () => ({ messaging_product: 'whatsapp', success: true });
    },

    close,
  };
  return world;
}

export type CallWorld = Awaited<ReturnType<typeof startCallWorld>>;

/** Graph's rejection with this code and message. */
export function graphRejection(code: number, status = 400, message = 'As Graph says it'): UpstreamError {
  return parseGraphError(status, { error: { message, code } }, new Headers(), 'call');
}

/** The error when Graph did not respond. */
export const silence = () => new UpstreamError('timeout', 'The messaging platform did not respond.');

/** A Graph that throws this error. */
export const failing = (error: Error) => () => {
  throw error;
};

/** A Graph that throws this error for the action, and accepts everything else. */
export const failingAt = (action: string, error: Error) => (request: GraphRequest) => {
  if ((request.json as CallBody).action === action) throw error;
  return { success: true };
};

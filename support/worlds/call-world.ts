import { upstreamCalls } from '#shared/adapters/graph/calls.ts';
import type { GraphRequest } from '#shared/adapters/graph/graph-client.ts';
import { parseGraphError } from '#shared/adapters/graph/graph-error.ts';
import { knownCallError } from '#shared/domain/calls/error-codes.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import type { KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import type { Handler, RequestOptions } from '../aws/http-event.ts';
import { startApiWorld } from './api-world.ts';

export interface CallOperation {
  contract: Contract;
  makeHandler: (dependencies: CallDependencies & KeyedDependencies) => Handler;
}

/** What the members of a request to Graph say that it is for. */
export interface CallBody {
  action: string;
  call_id?: string;
  session?: { sdp_type: string; sdp: string };
}

/** The operations on calls between the real stores on a DynamoDB engine and a Graph that answers as told. */
export async function startCallWorld() {
  const { call, newNumber, close, dependencies } = await startApiWorld();
  const requests: GraphRequest[] = [];
  const world = {
    /** What Graph was asked, in order. */
    requests,

    /** How Graph answers; it takes everything unless told otherwise. */
    graph: (_request: GraphRequest): unknown => ({ messaging_product: 'whatsapp', success: true }),

    /** The bodies of what Graph was asked to do. */
    bodies: () => requests.map(({ json }) => json as CallBody),

    /** A number of the caller's with which calls can be made. */
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

    /** Graph takes everything, and nothing was asked yet. */
    reset() {
      requests.length = 0;
      world.graph = () => ({ messaging_product: 'whatsapp', success: true });
    },

    close,
  };
  return world;
}

export type CallWorld = Awaited<ReturnType<typeof startCallWorld>>;

/** Graph's rejection with a code, in these words. */
export function graphRejection(code: number, status = 400, message = 'As Graph says it'): UpstreamError {
  return parseGraphError(status, { error: { message, code } }, new Headers(), knownCallError);
}

/** No answer came. */
export const silence = () => new UpstreamError('no-answer', 'The messaging platform did not respond.');

/** A Graph that throws this. */
export const failing = (error: Error) => () => {
  throw error;
};

/** A Graph that throws this when it is asked for the action, and takes everything else. */
export const failingAt = (action: string, error: Error) => (request: GraphRequest) => {
  if ((request.json as CallBody).action === action) throw error;
  return { success: true };
};

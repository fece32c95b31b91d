import { newId } from '#shared/base/ids.ts';
import type { UpstreamError } from '#shared/base/upstream-error.ts';
import type { FlowRecord, LiveFlow, StoredJson } from '#shared/flows/flow.ts';
import { foreignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import { outlineReader } from '#shared/flows/read-with-json.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { parseGraphError } from '#shared/graph/graph-error.ts';
import { type UpstreamMessages, upstreamMessages } from '#shared/messages/messages-graph.ts';
import type { SendFlowContext } from '#shared/messages/send-flow.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import type { Contract } from '#shared/operations/contract.ts';
import type { KeyedDependencies } from '#shared/operations/create-handler.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Handler, RequestOptions } from '../aws/http-event.ts';
import { draft } from '../fakes/fake-flow-context.ts';
import { startApiWorld } from './api-world.ts';

interface MessageOperation {
  contract: Contract;
  makeHandler: (dependencies: KeyedDependencies & SendFlowContext & { upstream: () => UpstreamMessages }) => Handler;
}

const accepted = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '15550100999', wa_id: '15550100999' }],
  messages: [{ id: 'wamid.HBgLMTU1NTAxMDA5OTk', message_status: 'accepted' }],
};

/**
 * Runs the sending of messages on the real stores of a DynamoDB engine, with a Graph that responds as the test says.
 */
export async function startMessageWorld() {
  const { call, newNumber, newWorkspace, close, dependencies, table, clock } = await startApiWorld();
  const flowsById = new Map<string, FlowRecord>();
  const flows = {
    get: async (of: string, id: string) => {
      const flow = flowsById.get(id);
      return flow?.workspace === of ? flow : undefined;
    },
  };
  const flowJson = { read: async (json: StoredJson) => ('text' in json ? json.text : undefined) };
  const requests: GraphRequest[] = [];
  const world = {
    /** The requests to Graph, in order. */
    requests,

    /** How Graph responds; by default, it accepts everything. */
    graph: (_request: GraphRequest): unknown => accepted,

    newNumber,
    newWorkspace,

    call({ contract, makeHandler }: MessageOperation, number: Pick<PhoneNumber, 'id'>, options: RequestOptions = {}) {
      const upstream = () =>
        upstreamMessages(async (request) => {
          requests.push(request);
          return world.graph(request);
        });
      const { access, keyedRequests, now, mark } = dependencies;
      const all = {
        access,
        keyedRequests,
        now,
        mark,
        upstream,
        flows,
        foreignFlows: foreignFlowStore(table),
        readOutline: outlineReader({ flows, flowJson }),
        sentFlows: world.sentFlows,
      };
      return call({ contract, makeHandler: () => makeHandler(all) }, number, options);
    },

    clock,
    table,
    sentFlows: sentFlowStore(table),

    /** A published Flow of the workspace with this JSON. */
    newFlow(json: unknown, members: Partial<LiveFlow> = {}): LiveFlow {
      const id = newId();
      const flow: LiveFlow = {
        ...draft,
        id,
        wa_id: `44${id}`,
        status: 'PUBLISHED',
        json: { text: JSON.stringify(json) },
        ...members,
      };
      flowsById.set(flow.id, flow);
      return flow;
    },

    /** Resets Graph: it accepts everything and has no requests yet. */
    reset() {
      requests.length = 0;
      world.graph = () => accepted;
    },

    close,
  };
  return world;
}

/** Graph's rejection of a message with a code. */
export function messageRejection(code: number, status = 400, message = 'As Graph says it'): UpstreamError {
  return parseGraphError(status, { error: { message, code } }, new Headers(), 'message');
}

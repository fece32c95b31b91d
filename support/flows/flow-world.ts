import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startUpstream } from '#local/graph/server.ts';
import type { BlobStore } from '#shared/aws/bucket.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { sealRequest } from '#shared/flow-endpoint/envelope.ts';
import type { FlowMetadata } from '#shared/flows/flow.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { type FlowStore, flowStore } from '#shared/flows/flow-store.ts';
import { upstreamFlows } from '#shared/flows/flows-graph.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import { graphClient } from '#shared/graph/graph-client.ts';
import type { ServiceEvent } from '#shared/webhooks/event-names.ts';
import { publishableFlow } from '#support/publishable-flow.ts';
import { startTestTable } from '../aws/dynamodb.ts';

const wabaId = '100000000000001';

export const metadata: FlowMetadata = {
  name: 'Appointments',
  categories: [3],
  endpoint_url: null,
  endpoint_encrypted: true,
};

/** A Flow JSON that the upstream publishes. */
export const publishableJson = JSON.stringify(publishableFlow);

/** A fault of the simulated upstream; see its control surface. */
export interface Fault {
  match: { path: string };
  times?: number;
  fault: Record<string, unknown>;
}

/** The Flow's metadata and status on the upstream. */
export interface UpstreamState {
  id: string;
  name: string;
  status: string;
  categories: string[];
  endpoint_uri: string | null;
  flow_json?: string | undefined;
}

export const patientMs = 10_000;

/**
 * Runs the Flow operations on a real DynamoDB engine and the simulated upstream over real HTTP. The test controls the
 * clock. Large texts go to a bucket in memory.
 */
export async function startFlowWorld() {
  const engine = await startTestTable();
  const dataDir = await mkdtemp(join(tmpdir(), 'flow-world-'));
  const upstream = await startUpstream({
    dataDir,
    accessToken: 'token',
    appSecret: 'secret',
    sealRequest,
    accounts: [{ waba_id: wabaId, phone_numbers: [{ id: '1', display_phone_number: '+15550100001' }] }],
  });
  const objects = new Map<string, string>();
  const blobs: BlobStore = {
    put: async (key, text) => void objects.set(key, text),
    get: async (key) => objects.get(key),
    delete: async (key) => void objects.delete(key),
  };
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };

  const simulator = (path: string, method = 'GET', body?: unknown) =>
    fetch(`${upstream.url}/simulator/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });

  const patience = { timeoutMs: patientMs };
  const announced: ServiceEvent[] = [];

  return {
    table: engine.table,
    clock,
    /**
     * The time limit for the upstream: enough for every response, except in tests in which the upstream does not
     * respond.
     */
    patience,
    objects,
    /** The events that were sent to workspaces. */
    announced,
    workspace: newId(),

    /** The context of one request. `flows` replaces parts of the store, to make it fail. */
    context(overrides: { flows?: Partial<FlowStore>; table?: Table } = {}): FlowContext {
      const table = overrides.table ?? engine.table;
      const flows = { ...flowStore(table), ...overrides.flows };
      const flowJson = flowJsonStore(table, blobs);
      const settings = { baseUrl: upstream.url, version: 'v25.0', ...patience };
      return {
        flows,
        flowJson,
        upstream: upstreamFlows(graphClient(settings, async () => 'token', Date.now() + 15_000, Date.now)),
        wabaId,
        endpointUri: (flow) => `https://api.example.com/v2/flows/${flow}/endpoint`,
        announce: async (event) => void announced.push(event),
        holder: newId(),
        now: clock.now,
      };
    },

    async fault(fault: Fault): Promise<void> {
      if (String(fault.fault.kind).endsWith('timeout')) patience.timeoutMs = 500;
      const response = await simulator('faults', 'POST', fault);
      if (!response.ok) throw new Error(`The simulator rejected the fault: ${await response.text()}`);
    },

    async upstreamFlows(): Promise<UpstreamState[]> {
      const { data } = (await (await simulator('flows')).json()) as { data: UpstreamState[] };
      return data;
    },

    upstreamJson: async (waId: string) =>
      JSON.parse(await (await simulator(`flows/${waId}/flow.json`)).text()) as unknown,

    setUpstreamStatus: (waId: string, status: string) => simulator(`flows/${waId}/status`, 'POST', { status }),

    async close(): Promise<void> {
      await upstream.close();
      await engine.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

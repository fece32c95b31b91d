import type { FlowDependencies } from '#functions/flows/compose.ts';
import { isHeld, leaseFor } from '#shared/base/time-limits.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import { type FlowRecord, flowBusy, type LiveFlow, type StoredJson } from '#shared/flows/flow.ts';
import type { FlowStore, LeasedFlow } from '#shared/flows/flow-store.ts';
import type { UpstreamFlow, UpstreamFlows } from '#shared/flows/flows-graph.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import type { ServiceEvent } from '#shared/webhooks/event-names.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { mark } from '../deployment.ts';
import { type AccessData, fakeAccess, workspace } from './fake-access.ts';

/** The default time of tests: 2026-01-31T08:15:30.123Z. */
export const now = Date.UTC(2026, 0, 31, 8, 15, 30, 123);

/** A draft that the upstream knows. */
export const draft: LiveFlow = {
  id: '018f0000-0000-7000-8000-0000000000f1',
  workspace: workspace.id,
  wa_id: '4400000000000001',
  status: 'DRAFT',
  version: null,
  name: 'Appointments',
  categories: [3, 8],
  json: { text: '{}' },
  endpoint_url: null,
  endpoint_encrypted: true,
  preview_generation: 0,
  created_at: now - 60_000,
  updated_at: now - 60_000,
};

/** {@link draft} as the API returns it, in English. */
export const draftObject = {
  id: draft.id,
  wa_id: draft.wa_id,
  status: { id: 1, code: 'DRAFT', description: 'Draft' },
  version: null,
  name: 'Appointments',
  categories: [
    { id: 3, code: 'APPOINTMENT_BOOKING', description: 'Appointment booking' },
    { id: 8, code: 'OTHER', description: 'Other' },
  ],
  json: {},
  endpoint_encrypted: true,
  endpoint_url: null,
  created_at: '2026-01-31T08:14:30.123000Z',
  updated_at: '2026-01-31T08:14:30.123000Z',
};

/** The record of a health check that the endpoint of {@link draft} has just rejected with status 401. */
export const failedHealthCheck: ExchangeRecord = {
  at: now,
  preview: null,
  action: 'ping',
  screen: null,
  reported_error: null,
  answered_screen: null,
  duration_ms: 12,
  status: 401,
  bytes: 0,
  outcome: 'failed',
  fault: 'status',
  findings: [],
};

/** The part of the store that the Flow operations use. */
type UsedFlowStore = Pick<
  FlowStore,
  | 'insert'
  | 'claim'
  | 'intend'
  | 'save'
  | 'remove'
  | 'release'
  | 'suspend'
  | 'get'
  | 'list'
  | 'findPendingCreates'
  | 'isTaken'
>;

/** The store in memory, for one request at a time. Tests of the real store cover concurrent requests. */
function memoryFlows(records: Map<string, FlowRecord>): UsedFlowStore {
  const put = <R extends FlowRecord>(flow: R): R => {
    records.set(flow.id, flow);
    return flow;
  };
  const without = ({ pending: _, lease: __, ...flow }: FlowRecord): FlowRecord => flow;
  return {
    insert: async (flow) => void put(flow),
    async claim(flow, holder, intent, at) {
      const current = records.get(flow.id) ?? flow;
      if (isHeld(current.lease, at)) throw flowBusy(current, at);
      const pending = current.pending ?? (intent && { lease: holder, started_at: at, ...intent });
      return put<LeasedFlow>({
        ...current,
        lease: leaseFor(holder, at),
        ...(pending && { pending }),
      });
    },
    intend: async (flow, intent, at) =>
      put({ ...flow, pending: { lease: flow.lease.holder, started_at: at, ...intent } }),
    save: async (flow, changes, at) => put({ ...without(flow), ...changes, updated_at: at }),
    remove: async (flow) => void records.delete(flow.id),
    release: async (flow) => void put(without(flow)),
    suspend: async ({ lease: _, ...flow }) => void put(flow),
    get: async (_, flow) => records.get(flow),
    async *list({ from }) {
      const ascending = from?.towards === 'newer';
      const flows = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const flow of ascending ? flows : flows.reverse()) {
        if (!from || (ascending ? flow.id > from.flow : flow.id < from.flow)) yield flow;
      }
    },
    findPendingCreates: async () => [],
    isTaken: async () => false,
  };
}

/** An upstream that accepts everything and reports every Flow as `flow`. */
function agreeableUpstream(flow: Partial<UpstreamFlow>): UpstreamFlows {
  const accept = async () => {};
  return {
    create: async () => draft.wa_id,
    update: accept,
    uploadJson: async () => [],
    publish: accept,
    deprecate: accept,
    delete: accept,
    get: async (id) => ({ id, ...flow }),
    downloadJson: async () => undefined,
    findByName: async () => undefined,
  };
}

export interface FakeFlowOptions extends Partial<AccessData> {
  flows?: readonly FlowRecord[];
  /** Replaces calls of an upstream that accepts everything. */
  upstream?: Partial<UpstreamFlows>;
  /** What the upstream reports about every Flow. */
  reported?: Partial<UpstreamFlow>;
}

/** The dependencies of the Flow operations, without I/O. `records` has the stored Flows, by id. */
export function fakeFlowDependencies({ upstream, reported = {}, flows = [draft], ...access }: FakeFlowOptions = {}) {
  const records = new Map<string, FlowRecord>(flows.map((flow) => [flow.id, flow]));
  const store = memoryFlows(records) as FlowStore;
  const announced: ServiceEvent[] = [];
  const readJson = async (json: StoredJson) => ('text' in json ? json.text : undefined);
  const contextFor: FlowDependencies['contextFor'] = ({ waba_id }, holder): FlowContext => ({
    flows: store,
    flowJson: {
      keep: async (_, text) => ({ text }),
      read: readJson,
      readAll: (jsons) => Promise.all(jsons.map(readJson)),
      discard: async () => {},
    },
    upstream: { ...agreeableUpstream(reported), ...upstream },
    wabaId: waba_id,
    endpointUri: (flow) => `https://api.example.com/v2/flows/${flow}/endpoint`,
    announce: async (event) => void announced.push(event),
    holder,
    now: () => now,
  });
  const dependencies: FlowDependencies = {
    access: fakeAccess({ ...access, flows }),
    now: () => now,
    mark,
    baseUrl: 'https://api.example.com',
    contextFor,
  };
  return { dependencies, records, announced, context: contextFor(access.workspace ?? workspace, 'request') };
}

/** An active number of the workspace. */
export const phoneNumber: PhoneNumber = {
  id: '018f0000-0000-7000-8000-0000000000b1',
  workspace: workspace.id,
  phone_number_id: '106540352242922',
  display_phone_number: '+55 11 4000-0001',
  active: true,
  calling_enabled: false,
  created_at: 0,
};

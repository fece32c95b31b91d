import type { FlowStatus } from './catalogue.ts';
import type { ChangeIntent, FlowRecord, LiveFlow } from './flow.ts';

/** A Flow whose lease this request holds. */
export type LeasedFlow = FlowRecord & { lease: { holder: string; until: number } };

/** What a finished change writes. */
export type FlowChanges = Partial<
  Pick<
    FlowRecord,
    | 'wa_id'
    | 'status'
    | 'status_heard_at'
    | 'version'
    | 'json'
    | 'name'
    | 'categories'
    | 'endpoint_url'
    | 'endpoint_encrypted'
  >
>;

/** Where a page of the list begins, and its direction. */
export interface FlowPageQuery {
  workspace: string;
  status?: FlowStatus | undefined;
  /** Only Flows on this side of the Flow with this id. */
  from?: { flow: string; towards: 'older' | 'newer' } | undefined;
  /** How many Flows the caller will probably need; the first read fetches no more. */
  expected?: number | undefined;
}

/**
 * Stores Flows and lists them newest first. Every write after the first requires a lease, and only its holder may
 * write.
 */
export interface FlowStore {
  /**
   * Stores a Flow that is about to be created upstream. Its creator holds the lease, and clients cannot see the Flow
   * yet.
   */
  insert(flow: LeasedFlow): Promise<void>;
  /**
   * Takes the lease and records the intent. If an abandoned change is on record, that record stays, to be reconciled
   * first. Throws `flow.not-found` when the Flow does not exist, `flow.busy` while another request holds the lease.
   */
  claim(flow: FlowRecord, holder: string, intent: ChangeIntent | undefined, now: number): Promise<LeasedFlow>;
  /** Records the next change of the holder, after it has reconciled an abandoned one. */
  intend(flow: LeasedFlow, intent: ChangeIntent, now: number): Promise<LeasedFlow>;
  /**
   * Saves the result of the change and removes its record; with `keepLease` the holder keeps the lease.
   * `status_heard_at` says when the upstream was asked about the status, by default now. The store keeps a status that
   * is known since a later time.
   */
  save(flow: LeasedFlow, changes: FlowChanges, now: number, keepLease?: boolean): Promise<FlowRecord>;
  remove(flow: LeasedFlow): Promise<void>;
  /** Releases the lease after a change that was not made, and removes the record of the change. */
  release(flow: FlowRecord, holder: string): Promise<void>;
  /** Releases the lease but leaves the change on record, because its outcome is unknown. */
  suspend(flow: LeasedFlow): Promise<void>;
  get(workspace: string, flow: string): Promise<FlowRecord | undefined>;
  /** Finds the Flow with this id in any workspace. A Flow's workspace never changes, so the store remembers it. */
  find(flow: string): Promise<FlowRecord | undefined>;
  /** Lists the Flows of a workspace from a position on, including Flows that clients cannot see yet. */
  list(query: FlowPageQuery): AsyncGenerator<FlowRecord>;
  /** Flows called `name` in a workspace whose creation has not ended. The index that this uses may lag behind. */
  findPendingCreates(workspace: string, name: string): Promise<FlowRecord[]>;
  /** Finds the Flow with this upstream id in any workspace. */
  findByUpstreamId(waId: string): Promise<LiveFlow | undefined>;
  /**
   * Adopts the status that the upstream reports for a Flow, unless the report is outdated. `at` is the event's time,
   * because events arrive repeatedly and out of order. It has a precision of seconds. No status follows `DEPRECATED`.
   */
  followUpstreamStatus(flow: LiveFlow, status: FlowStatus, at: number): Promise<void>;
  /** Whether the upstream's Flow belongs to a Flow of ours other than this one. */
  isTaken(waId: string, flow: string): Promise<boolean>;
}

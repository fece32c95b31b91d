import type { FlowStatus } from './catalogue.ts';
import type { ChangeIntent, FlowRecord } from './flow.ts';

/** A Flow that this request holds the lease of. */
export type HeldFlow = FlowRecord & { lease: { holder: string; until: number } };

/** What a finished change writes. */
export type FlowChanges = Partial<
  Pick<
    FlowRecord,
    'wa_id' | 'status' | 'version' | 'json' | 'name' | 'categories' | 'endpoint_url' | 'endpoint_encrypted'
  >
>;

/** Where a page of the list begins, and in which direction it runs. */
export interface FlowPageQuery {
  workspace: string;
  status?: FlowStatus | undefined;
  /** Flows on this side of the Flow with this id. */
  from?: { flow: string; towards: 'older' | 'newer' } | undefined;
  /** How many Flows are likely to be read: no more are at first. */
  expected?: number | undefined;
}

/** Flows, newest first. Every write after the first is made under a lease, by its holder alone. */
export interface FlowStore {
  /** Keeps a Flow that is about to be created upstream, held by its creator and not yet to be seen. */
  insert(flow: HeldFlow): Promise<void>;
  /**
   * Takes the lease and records the intent, unless an abandoned change is recorded: that one stays, to be settled.
   * `flow.not-found` when there is no such Flow, `flow.busy` while somebody else holds it.
   */
  claim(flow: FlowRecord, holder: string, intent: ChangeIntent | undefined, now: number): Promise<HeldFlow>;
  /** Records what the holder goes on to do, once an abandoned change is settled. */
  intend(flow: HeldFlow, intent: ChangeIntent, now: number): Promise<HeldFlow>;
  /** Saves what the change did and ends it; with `keepLease` the holder goes on. */
  save(flow: HeldFlow, changes: FlowChanges, now: number, keepLease?: boolean): Promise<FlowRecord>;
  remove(flow: HeldFlow): Promise<void>;
  /** Gives the lease back: nothing was changed anywhere. */
  release(flow: FlowRecord, holder: string): Promise<void>;
  /** Gives the lease back but leaves the change recorded: its outcome is not known. */
  suspend(flow: HeldFlow): Promise<void>;
  get(workspace: string, flow: string): Promise<FlowRecord | undefined>;
  /** The Flow with this id in whichever workspace it is, which never changes and is remembered. */
  find(flow: string): Promise<FlowRecord | undefined>;
  /** Flows of a workspace from a place on, those included that nobody may see yet. */
  list(query: FlowPageQuery): AsyncGenerator<FlowRecord>;
  /** Flows of a workspace called `name` whose creation is not known to have ended, as far as the index knows. */
  findPendingCreates(workspace: string, name: string): Promise<FlowRecord[]>;
  /**
   * Follows what the upstream says of a Flow's status, unless something later was heard of it. `at` is the event's
   * time, for events come repeated and out of order. It tells seconds only; but nothing comes after `DEPRECATED`.
   */
  followUpstreamStatus(waId: string, status: FlowStatus, at: number): Promise<void>;
  /** Whether the upstream's Flow belongs to another Flow of ours than this one. */
  isTaken(waId: string, flow: string): Promise<boolean>;
}

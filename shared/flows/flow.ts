import { ServiceError } from '#shared/base/service-error.ts';
import { isHeld, type Lease } from '#shared/base/time-limits.ts';
import type { FlowCategoryId, FlowStatus } from './catalogue.ts';

/**
 * Where a Flow's JSON text is stored: in the Flow's item while it is tiny, else in a separate item or in the bucket.
 */
export type StoredJson = { text: string } | { item: string; bytes: number } | { blob: string; bytes: number };

/** The members that a client may set with create and update. */
export interface FlowMetadata {
  name: string;
  categories: FlowCategoryId[];
  /** The customer's endpoint. The upstream always gets our URL instead. */
  endpoint_url: string | null;
  endpoint_encrypted: boolean;
}

/** What an update sets. Neither side changes the endpoint if the update has no member for it. */
export type FlowMetadataChanges = Pick<FlowMetadata, 'name' | 'categories'> &
  Partial<Pick<FlowMetadata, 'endpoint_url' | 'endpoint_encrypted'>>;

/**
 * A change that has begun and is not known to have ended. It is written with the lease, before the upstream is called,
 * so that a request that finds it abandoned can ask the upstream about the outcome.
 */
export type PendingChange = { lease: string; started_at: number } & ChangeIntent;

export type ChangeIntent =
  | { change: 'create' }
  | { change: 'update'; metadata: FlowMetadataChanges }
  | { change: 'update-json'; json: StoredJson }
  | { change: 'publish' }
  | { change: 'delete' };

/** A change that a request asks for: like its intent, but a new JSON text is in memory and not stored yet. */
export type FlowChange = Exclude<ChangeIntent, { change: 'update-json' }> | { change: 'update-json'; text: string };

export interface FlowRecord extends FlowMetadata {
  id: string;
  workspace: string;
  /** The upstream's id. Absent until the upstream has accepted the Flow; until then, clients do not see the Flow. */
  wa_id?: string;
  status: FlowStatus;
  /**
   * The second since which the status is known, in epoch milliseconds: when the upstream reported it, or when this
   * service read it. Absent until then.
   */
  status_heard_at?: number;
  /** The status that a change of this service replaced in that second. */
  replaced_status?: FlowStatus | undefined;
  version: string | null;
  json: StoredJson;
  /** Incremented to invalidate earlier previews: a preview is valid only for the generation in which it was made. */
  preview_generation: number;
  /** Epoch milliseconds. */
  created_at: number;
  updated_at: number;
  pending?: PendingChange;
  /** The request that may change the Flow, and until when (epoch milliseconds). */
  lease?: Lease;
}

/** A Flow that the upstream has accepted, so that clients may see it. */
export type LiveFlow = FlowRecord & { wa_id: string };

export function isLive(flow: FlowRecord): flow is LiveFlow {
  return flow.wa_id !== undefined;
}

/** Returns whether the Flow has a recorded change whose lease has ended; `reconcileFlow` reconciles it. */
export function isAbandoned(flow: FlowRecord, now: number): boolean {
  return flow.pending !== undefined && !isHeld(flow.lease, now);
}

/** The size of the text in bytes of UTF-8, known without reading the text. */
export function jsonBytes(json: StoredJson): number {
  return 'text' in json ? Buffer.byteLength(json.text) : json.bytes;
}

/**
 * Whether a report of the upstream is older than the status that is known. Reports have a precision of seconds: in the
 * second in which a change of ours replaced a status, a report of the old status is outdated.
 *
 * @param at the report's time, in epoch milliseconds
 */
export function isOutdatedReport(flow: FlowRecord, status: FlowStatus, at: number): boolean {
  const { status_heard_at = 0, replaced_status } = flow;
  return status_heard_at > at || (status_heard_at === at && replaced_status === status);
}

/**
 * Whether a later status is stored than the one that a change read or set, because a report was followed before the
 * change is saved. What was stored at the claim is earlier, whatever the clocks say. No status follows `DEPRECATED`.
 *
 * @param at when the upstream was asked, in epoch milliseconds
 */
export function isOutdatedReading(stored: FlowRecord, claimed: FlowRecord, status: FlowStatus, at: number): boolean {
  if (status === 'DEPRECATED') return false;
  const { status_heard_at = 0 } = stored;
  return stored.status === 'DEPRECATED' || status_heard_at > Math.max(at, claimed.status_heard_at ?? 0);
}

/** The error for a Flow whose lease another request holds. Clients should retry when the lease expires. */
export function flowBusy(flow: FlowRecord, now: number): ServiceError {
  const left = flow.lease ? flow.lease.until - now : 0;
  return new ServiceError('flow.busy', { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) });
}

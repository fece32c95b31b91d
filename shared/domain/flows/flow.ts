import type { FlowCategoryId, FlowStatus } from './catalogue.ts';

/** Where a Flow's JSON text is kept: in its item while it is tiny, else in an item of its own or in the bucket. */
export type StoredJson = { text: string } | { item: string; bytes: number } | { blob: string; bytes: number };

/** What a client may set with create and update. */
export interface FlowMetadata {
  name: string;
  categories: FlowCategoryId[];
  /** The customer's endpoint; the upstream is always given ours. */
  endpoint_url: string | null;
  endpoint_encrypted: boolean;
}

/**
 * A change that was begun and is not known to have ended. It is written with the lease, before the upstream is called,
 * so that whoever finds it abandoned can ask the upstream what came of it.
 */
export type PendingChange = { lease: string; started_at: number } & ChangeIntent;

export type ChangeIntent =
  | { change: 'create' }
  | { change: 'update'; metadata: FlowMetadata }
  | { change: 'update-json'; json: StoredJson }
  | { change: 'publish' }
  | { change: 'delete' };

/** A change that a request asks for: as its intent, but a new JSON text is in memory and not kept yet. */
export type FlowChange = Exclude<ChangeIntent, { change: 'update-json' }> | { change: 'update-json'; text: string };

/** A Flow as it is stored. */
export interface FlowRecord extends FlowMetadata {
  id: string;
  workspace: string;
  /** The upstream's id; absent until the upstream has accepted the Flow, and such a Flow is shown to nobody. */
  wa_id?: string;
  status: FlowStatus;
  /** JSON version as the upstream reports it. */
  version: string | null;
  json: StoredJson;
  /** Counts up when earlier previews are invalidated; a preview is good while it carries the current one. */
  preview_generation: number;
  /** Epoch milliseconds. */
  created_at: number;
  updated_at: number;
  pending?: PendingChange;
  /** Who may change the Flow, until when (epoch milliseconds). */
  lease?: { holder: string; until: number };
}

/** A Flow that the upstream knows, so that clients may see it. */
export type LiveFlow = FlowRecord & { wa_id: string };

export function isLive(flow: FlowRecord): flow is LiveFlow {
  return flow.wa_id !== undefined;
}

/** Whether a change was begun whose holder is gone: its outcome has to be found out (see `settleFlow`). */
export function isAbandoned(flow: FlowRecord, now: number): boolean {
  return flow.pending !== undefined && (flow.lease === undefined || flow.lease.until <= now);
}

/** Size of the text in bytes of UTF-8, without reading it. */
export function jsonBytes(json: StoredJson): number {
  return 'text' in json ? Buffer.byteLength(json.text) : json.bytes;
}

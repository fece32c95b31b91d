import type { StoredJson } from './flow.ts';

/** Stores the JSON texts of Flows. A stored text never changes. */
export interface FlowJsonStore {
  /** Always stores a new text, even if the content is the same, so that discarding one affects no other Flow. */
  keep(flow: string, text: string): Promise<StoredJson>;
  /** Resolves with `undefined` when a newer text has replaced this one since the Flow was read. */
  read(json: StoredJson): Promise<string | undefined>;
  /** Reads the texts of up to a hundred Flows, in their order; see `read`. */
  readAll(jsons: readonly StoredJson[]): Promise<(string | undefined)[]>;
  discard(json: StoredJson): Promise<void>;
}

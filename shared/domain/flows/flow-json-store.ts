import type { StoredJson } from './flow.ts';

/** The JSON texts of Flows. A stored text never changes. */
export interface FlowJsonStore {
  /** Keeps a text of its own even where the content is the same, so that discarding one takes it from no other Flow. */
  keep(flow: string, text: string): Promise<StoredJson>;
  /** `undefined` when a newer text has replaced this one since the Flow was read. */
  read(json: StoredJson): Promise<string | undefined>;
  /** The texts of a page of Flows, at most a hundred, in their order; see `read`. */
  readAll(jsons: readonly StoredJson[]): Promise<(string | undefined)[]>;
  discard(json: StoredJson): Promise<void>;
}

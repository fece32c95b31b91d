import type { Flow } from './flows.ts';
import { GraphError } from './graph-errors.ts';

/** What the store needs of a map: a plain `Map` forgets at the end, a `JournaledMap` keeps on disk. */
export interface FlowRecords {
  get(id: string): Flow | undefined;
  set(id: string, flow: Flow): unknown;
  delete(id: string): unknown;
  values(): Iterable<Flow>;
}

export class FlowStore {
  readonly #records: FlowRecords;
  #lastId: number;

  constructor(records: FlowRecords) {
    this.#records = records;
    this.#lastId = Math.max(0, ...[...records.values()].map((flow) => Number(flow.id)));
  }

  /** A number like Graph's, greater than every one before it. */
  nextId(now: number): string {
    this.#lastId = Math.max(this.#lastId + 1, now * 1000);
    return String(this.#lastId);
  }

  /** Throws Graph's "object does not exist". */
  get(id: string): Flow {
    const flow = this.#records.get(id);
    if (flow === undefined) throw new GraphError('object_missing');
    return flow;
  }

  save(flow: Flow): Flow {
    this.#records.set(flow.id, flow);
    return flow;
  }

  delete(flow: Flow): void {
    this.#records.delete(flow.id);
  }

  /** Newest first. */
  all(): Flow[] {
    return [...this.#records.values()].sort((a, b) => Number(b.id) - Number(a.id));
  }

  /** Newest first. */
  ofAccount(wabaId: string): Flow[] {
    return this.all().filter((flow) => flow.waba_id === wabaId);
  }
}

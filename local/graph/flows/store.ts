import type { Records } from '../core/records.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { Flow } from './flows.ts';

/** Is called when the status of a Flow changes. A new Flow has no old status. */
export type StatusListener = (flow: Flow, oldStatus: Flow['status'] | undefined) => void;

export class FlowStore {
  readonly #records: Records<Flow>;
  readonly #onStatusChange: StatusListener;
  #lastId: number;

  constructor(records: Records<Flow>, onStatusChange: StatusListener) {
    this.#records = records;
    this.#onStatusChange = onStatusChange;
    this.#lastId = Math.max(0, ...[...records.values()].map((flow) => Number(flow.id)));
  }

  /** An id like Graph's, greater than all before it. */
  nextId(now: number): string {
    this.#lastId = Math.max(this.#lastId + 1, now * 1000);
    return String(this.#lastId);
  }

  /** Throws Graph's "object does not exist". */
  get(id = ''): Flow {
    const flow = this.#records.get(id);
    if (flow === undefined) throw new GraphError('object_missing');
    return flow;
  }

  save(flow: Flow): Flow {
    const oldStatus = this.#records.get(flow.id)?.status;
    this.#records.set(flow.id, flow);
    if (flow.status !== oldStatus) this.#onStatusChange(flow, oldStatus);
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

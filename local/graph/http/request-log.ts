/** A request that came in, without headers and query, and therefore without credentials. */
export interface LoggedRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null if the path is not one of Graph's operations. */
  readonly operation: string | null;
  /** Null until there is a response. If a fault keeps it back, it stays null. */
  status: number | null;
  /** The kind of the fault that hit the request. */
  readonly fault: string | null;
}

/** A request that came in, as people read it, with its response. */
export interface ShownRequest extends LoggedRequest {
  readonly id: string;
  /** With its question mark, without credentials. */
  readonly query: string;
  readonly request: unknown;
  /** Null until there is one. */
  readonly response: unknown;
  readonly duration_ms?: number;
}

const keptRequests = 1000;

/** The latest requests, oldest first. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(entry: LoggedRequest): LoggedRequest {
    this.#entries.push(entry);
    if (this.#entries.length > keptRequests) this.#entries.shift();
    return entry;
  }
}

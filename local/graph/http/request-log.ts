/** What came in. Holds neither headers nor queries, so no credentials. */
export interface LoggedRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null when the path is no operation of Graph's. */
  readonly operation: string | null;
  /** Null while the answer is due, and for ever when a fault keeps it back. */
  status: number | null;
  /** The kind of the fault that hit the request. */
  readonly fault: string | null;
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

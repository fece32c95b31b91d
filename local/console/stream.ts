import type { IncomingMessage, ServerResponse } from 'node:http';

/** A change of something that the console shows. */
export interface ConsoleChange {
  /** What has changed: `requests`, `events`, `messages`, `deliveries`, … */
  readonly topic: string;
  readonly key: string;
  /** Absent if it is gone. */
  readonly value?: unknown;
}

/** Topics whose values are kept nowhere else, so that a page that opens later can show them. */
const keptTopics = ['requests', 'events'];
const keptValues = 300;

/** More than the largest change, of which several may come at once. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Keeps proxies and browsers from closing a quiet connection. */
const heartbeatMs = 15_000;

/** Sends changes to every open page, as server-sent events (HTML standard, section 9.2). */
export class Stream {
  readonly #listeners = new Set<ServerResponse>();
  readonly #kept = new Map(keptTopics.map((topic) => [topic, new Map<string, unknown>()]));
  readonly #heartbeat = setInterval(() => this.#write(':\n\n'), heartbeatMs).unref();

  /** Whether anybody would see a change. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  readonly publish = (topic: string, key: string, value: unknown): void => {
    const forgotten = this.#keep(topic, key, value);
    this.#tell({ topic, key, value });
    // Pages forget it, too.
    if (forgotten !== undefined) this.#tell({ topic, key: forgotten });
  };

  /** The latest values of a kept topic, oldest first. */
  kept(topic: string): unknown[] {
    return [...(this.#kept.get(topic)?.values() ?? [])];
  }

  /** Responds with all changes from now on. */
  follow(request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    // The first byte tells the page that no change is lost from here on.
    response.write('retry: 1000\n\n');
    this.#listeners.add(response);
    request.once('close', () => this.#listeners.delete(response));
  }

  /** Pages still get what was sent, such as that another world starts: a browser drops it if the connection breaks. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const response of this.#listeners) response.end();
    this.#listeners.clear();
  }

  #tell(change: ConsoleChange): void {
    if (this.isWatched) this.#write(`data: ${JSON.stringify(change)}\n\n`);
  }

  #write(text: string): void {
    for (const response of this.#listeners) {
      // A page that does not read comes back, and then reads everything anew.
      if (response.writableLength > maxUnreadBytes) response.destroy();
      else response.write(text);
    }
  }

  /** Returns the key of the oldest value if it had to go. */
  #keep(topic: string, key: string, value: unknown): string | undefined {
    const kept = this.#kept.get(topic);
    if (kept === undefined) return;
    // A changed value keeps its place in the order.
    kept.set(key, structuredClone(value));
    const [oldest] = kept.size > keptValues ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return oldest;
  }
}

import { type ConnectSettings, deadline, guardedConnection } from './connect.ts';
import { exchange, type PostResponse } from './post.ts';
import { destinationOf } from './url-rules.ts';

export interface GetSettings extends ConnectSettings {
  headers: Readonly<Record<string, string>>;
  /** The maximum size of the body; the rest is not read. */
  maxBytes: number;
  /** Milliseconds for everything, from name resolution to the last byte. */
  timeoutMs: number;
}

export type GetResponse = Pick<PostResponse, 'status' | 'body' | 'truncated'>;

/**
 * Reads what is at a URL that has passed `checkUrl`, over a connection of its own through the guard. Redirects are not
 * followed. A body that ends early is an error.
 *
 * @throws EgressError
 */
export async function get(url: string, settings: GetSettings): Promise<GetResponse> {
  const destination = destinationOf(url);
  const { signal, cancel } = deadline(settings.timeoutMs);
  try {
    return await exchange(
      { method: 'GET', destination, headers: { ...settings.headers, connection: 'close' } },
      { createConnection: guardedConnection(destination.secure, settings) },
      { maxResponseBytes: settings.maxBytes, now: Date.now },
      signal,
    );
  } finally {
    cancel();
  }
}

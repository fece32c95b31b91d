import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ConnectSettings, deadline, guardedConnection } from './connect.ts';
import { classify, EgressError } from './egress-error.ts';
import { destinationOf } from './url-rules.ts';

export interface GetSettings extends ConnectSettings {
  headers: Readonly<Record<string, string>>;
  /** The maximum size of the body; the rest is not read. */
  maxBytes: number;
  /** Milliseconds for everything, from name resolution to the last byte. */
  timeoutMs: number;
}

export interface GetResponse {
  status: number;
  /** Empty if the status is not 200. */
  body: Buffer;
  /** Whether the body has more than `maxBytes`. */
  truncated: boolean;
}

const maxHeaderBytes = 16 * 1024;

/**
 * Reads what is at a URL that has passed `checkUrl`, over a connection of its own through the guard. Redirects are not
 * followed. A body that ends early is an error.
 *
 * @throws EgressError
 */
export async function get(url: string, settings: GetSettings): Promise<GetResponse> {
  const { secure, hostname, port, path, host } = destinationOf(url);
  const { signal, cancel } = deadline(settings.timeoutMs);
  const call = request({
    ...{ hostname, port, path, method: 'GET', maxHeaderSize: maxHeaderBytes, signal },
    createConnection: guardedConnection(secure, settings),
    headers: { ...settings.headers, host, 'accept-encoding': 'identity', connection: 'close' },
  });
  // What comes after the response has been read, such as the end of the connection, concerns nobody.
  call.on('error', () => {});
  call.end();
  try {
    const [response] = (await once(call, 'response', { signal })) as [IncomingMessage];
    const { statusCode: status = 0 } = response;
    if (status !== 200) return { status, body: Buffer.alloc(0), truncated: false };
    return { status, ...(await readBody(response, settings.maxBytes)) };
  } catch (cause) {
    throw new EgressError(signal.aborted ? 'timeout' : classify(cause), { cause });
  } finally {
    cancel();
    call.destroy();
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Omit<GetResponse, 'status'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

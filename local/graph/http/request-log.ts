import { parseJson } from '#shared/base/json.ts';
import type { GraphError } from './graph-errors.ts';
import type { HttpResponse } from './http.ts';
import { type Params, UploadedFile } from './params.ts';

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

/** Parameters that nobody should see over somebody's shoulder, or in a file that is passed on. */
const credentials = ['access_token', 'input_token', 'verify_token', 'pin', 'client_secret', 'appsecret_proof'];

/** The query of an address, with the values of credentials left out. */
export function shownQuery({ searchParams }: URL): string {
  const shown = new URLSearchParams(searchParams);
  for (const name of credentials) if (shown.has(name)) shown.set(name, '…');
  return shown.size > 0 ? `?${shown}` : '';
}

/** The parameters of a request as people read them: a file is its type and size. */
export function shownParams(params: Params | GraphError): unknown {
  if (params instanceof Error) return null;
  return Object.fromEntries([...params].map(([name, value]) => [name, shownValue(name, value)]));
}

/** The body of a response as people read it: JSON, a text, or the number of its bytes. Links to pages have a token. */
export function shownBody({ body }: HttpResponse): unknown {
  if (typeof body !== 'string') return { bytes: body.size };
  const shown = body.replace(/([?&]access_token=)[^&"]+/g, '$1…');
  return parseJson(shown) ?? shown;
}

function shownValue(name: string, value: unknown): unknown {
  if (credentials.includes(name)) return '…';
  return value instanceof UploadedFile ? { type: value.type, bytes: value.bytes.length } : value;
}

import { sendJson } from './http.ts';
import type { Snapshot } from './snapshot.ts';

/** A request that the console makes with a button, and that people can repeat in their terminal. */
export interface Call {
  readonly to: 'service' | 'simulator';
  readonly method: 'POST' | 'PUT';
  /** Begins with `/v2` at the service, and with `/simulator` at the simulated platform. */
  readonly path: string;
  readonly body: unknown;
}

/** Makes the call through the console's server. */
export function make({ to, method, path, body }: Call): Promise<unknown> {
  return sendJson(method, to === 'service' ? `/service${path}` : path, body);
}

/** The call as a command for the terminal. */
export function curlOf(
  { to, method, path, body }: Call,
  { base_url, upstream_url, tokens }: Snapshot['world'],
): string {
  const url = `${to === 'service' ? base_url : upstream_url}${path}`;
  const lines = [
    `curl -s ${method === 'POST' ? '' : `-X ${method} `}${url}`,
    ...(to === 'service' ? [`-H 'Authorization: Bearer ${tokens.owner}'`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ];
  return lines.join(' \\\n  ');
}

/** The text in quotes of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

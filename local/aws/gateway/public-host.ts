import type { IncomingHttpHeaders } from 'node:http';
import { nameOf } from '../base/http/local-requests.ts';

/** The name under which the internet reaches, through a tunnel, a gateway that otherwise serves only this machine. */
export interface PublicHost {
  /** In lower case, without a port. */
  readonly name: string;
  /** The routes that the internet may use. All others do not exist for it. */
  readonly routeKeys: ReadonlySet<string>;
  /** A path that nobody can guess. Who can read it at the public address has reached this gateway. */
  readonly proofPath: string;
}

/** What the gateway responds at the path of the proof. */
export interface Proof {
  /** Whether the gateway recognises that the request came through the tunnel. */
  readonly recognised: boolean;
}

const forwardingHeader = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|tailscale-.+)$/;

/**
 * Whether a request came through the tunnel: under the public name, or with the headers that tunnels add. Some tunnels
 * can be told to replace the name by `localhost`, so the name alone does not tell.
 */
export function isFromOutside(headers: IncomingHttpHeaders, { name }: PublicHost): boolean {
  return nameOf(headers.host ?? '') === name || Object.keys(headers).some((header) => forwardingHeader.test(header));
}

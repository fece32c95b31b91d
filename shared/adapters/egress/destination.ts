import { hostOf } from './host.ts';

/** Where a POST goes, in the parts that Node's HTTP client takes. */
export interface Destination {
  protocol: string;
  /** Without the brackets of an IPv6 address. */
  hostname: string;
  /** Empty for the scheme's default. */
  port: string;
  path: string;
  /** The `Host` header. */
  host: string;
}

/** Splits a URL that has passed `checkUrl` into its parts. */
export function destinationOf(text: string): Destination {
  const url = new URL(text);
  const { protocol, port, pathname, search, host } = url;
  return { protocol, hostname: hostOf(url), port, path: pathname + search, host };
}

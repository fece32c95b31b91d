import { isIPv4, isIPv6 } from 'node:net';

/** The host of a URL as an IP address or a name, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether the host is an IP address. Only an IPv6 address has a colon, so names skip the regular expression of
 * `isIPv6`, which takes milliseconds to compile.
 */
export function isIpAddress(host: string): boolean {
  return isIPv4(host) || (host.includes(':') && isIPv6(host));
}

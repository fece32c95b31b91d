import { isIP } from 'node:net';
import { isAllowed, parseAllowList } from './addresses.ts';
import { hostOf } from './host.ts';

/** Whether a URL is an address of this service's own API. */
export type OwnAddresses = (url: URL) => boolean;

const loopback = parseAllowList('127.0.0.0/8,::1/128,::ffff:127.0.0.0/104');

/**
 * Reads the URLs at which the API is served, separated by commas. A host name is the API's on every port. Loopback is
 * shared by everything on the machine, so there only the API's port counts, whatever name loopback is given.
 *
 * @throws TypeError for what is no URL.
 */
export function parseOwnAddresses(text: string): OwnAddresses {
  const urls = text.split(',').filter((url) => url !== '');
  const own = new Set(urls.map((url) => placeOf(new URL(url))));
  return (url) => own.has(placeOf(url));
}

/** The same text for every way to write one place. `URL` has already dealt with letter case and IDNA. */
function placeOf(url: URL): string {
  const host = hostOf(url).replace(/\.$/, '');
  return isLoopback(host) ? `loopback:${url.port || schemePorts[url.protocol]}` : host;
}

const schemePorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function isLoopback(host: string): boolean {
  if (isIP(host) !== 0) return isAllowed(host, loopback);
  return host === 'localhost' || host.endsWith('.localhost');
}

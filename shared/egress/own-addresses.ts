import { lazy } from '#shared/base/lazy.ts';
import { isAllowed, parseAllowList } from './addresses.ts';
import { hostOf, isIpAddress, type OwnAddresses } from './url-rules.ts';

const loopback = lazy(() => parseAllowList('127.0.0.0/8,::1/128,::ffff:127.0.0.0/104'));

/**
 * Reads the URLs of the API, separated by commas. A host name belongs to the API on every port. Everything on the
 * machine shares loopback, so there only the API's port counts, under any name of loopback.
 *
 * @throws TypeError for an invalid URL.
 */
export function parseOwnAddresses(text: string): OwnAddresses {
  const urls = text.split(',').filter((url) => url !== '');
  const own = new Set(urls.map((url) => placeOf(new URL(url))));
  return (url) => own.has(placeOf(url));
}

/** Returns the same text for every notation of one place. `URL` has already normalised letter case and IDNA. */
function placeOf(url: URL): string {
  const host = hostOf(url).replace(/\.$/, '');
  return isLoopback(host) ? `loopback:${url.port || schemePorts[url.protocol]}` : host;
}

const schemePorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function isLoopback(host: string): boolean {
  if (isIpAddress(host)) return isAllowed(host, loopback());
  return host === 'localhost' || host.endsWith('.localhost');
}

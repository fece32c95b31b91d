import { isIPv4, isIPv6 } from 'node:net';
import { lazy } from '#shared/base/cache.ts';
import { type AllowList, isAllowed, isForbiddenAddress, parseAllowList, type Resolve } from './addresses.ts';

/** Whether a URL leads to this service's own API. */
export type OwnAddresses = (url: URL) => boolean;

/** The addresses of `localhost`, regardless of name servers (RFC 6761, section 6.3). */
const loopback = ['127.0.0.1', '::1'];

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** A parsed URL has an empty port if it uses the scheme's default. */
const ports = ['', '80'];

/**
 * Checks the text of a customer's URL. The URL must be absolute and `https`, without user name and password, on port
 * 443 or 80 of a fully qualified name or a public IPv4 address, and must not be one of the service's own. Addresses on the
 * allow-list may have any port and plain `http`. The field that holds the URL limits its length.
 */
export function checkUrl(text: string, allowList: AllowList, isOwn: OwnAddresses): UrlFault | undefined {
  const url = parseUrl(text);
  if (!url) return 'malformed';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (isOwn(url)) return 'own-address';
  const host = hostOf(url);
  const addresses = knownAddresses(host);
  if (addresses?.some((address) => isAllowed(address, allowList))) return undefined;
  if (addresses?.some((address) => isForbiddenAddress(address, allowList))) return 'forbidden-address';
  // Functions outside a VPC have no IPv6 connection to the internet, so this could never work once deployed.
  if (addresses && host.includes(':')) return 'ipv6';
  if (!addresses && !isPublicName(host)) return 'host';
  if (url.protocol === 'http:') return 'scheme';
  return ports.includes(url.port) ? undefined : 'port';
}

/**
 * Checks a customer's URL before it is saved: like `checkUrl`, but its name must also not resolve to a forbidden
 * address. A name that has no address yet is accepted.
 */
export async function checkResolvedUrl(
  text: string,
  resolve: Resolve,
  allowList: AllowList,
  isOwn: OwnAddresses,
): Promise<UrlFault | undefined> {
  const fault = checkUrl(text, allowList, isOwn);
  if (fault) return fault;
  const addresses = await addressesOf(hostOf(new URL(text)), resolve, allowList).catch(() => []);
  return addresses.some((address) => isForbiddenAddress(address, allowList)) ? 'forbidden-address' : undefined;
}

/**
 * Resolves a host to its addresses. Only names other than `localhost` are looked up; for `localhost`, the addresses on
 * the allow-list are returned, or all of them if none is.
 */
export async function addressesOf(host: string, resolve: Resolve, allowList: AllowList): Promise<string[]> {
  const addresses = knownAddresses(host);
  if (!addresses) return resolve(host);
  const allowed = addresses.filter((address) => isAllowed(address, allowList));
  return allowed.length > 0 ? allowed : addresses;
}

function parseUrl(text: string): URL | undefined {
  // WHATWG parsing drops white space, control characters and halves of surrogate pairs, and treats a backslash as a
  // slash, where other parsers see another host. A URL that relies on this is not what its owner meant. The parser also
  // normalises every notation of an IPv4 address, so the following checks see only one.
  if (/[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) return undefined;
  return URL.parse(text) ?? undefined;
}

function knownAddresses(host: string): string[] | undefined {
  if (host === 'localhost') return loopback;
  return isIpAddress(host) ? [host] : undefined;
}

/** Whether the name is complete without a search domain and can belong to a machine other than this one. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  return (
    host.length <= 253 && labels.length > 1 && labels.every((text) => label.test(text)) && labels.at(-1) !== 'localhost'
  );
}

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

/** Where a POST goes, in the parts that Node's HTTP client takes. */
export interface Destination {
  secure: boolean;
  /** Without the brackets of an IPv6 address. */
  hostname: string;
  port: number;
  path: string;
  /** The `Host` header. */
  host: string;
}

/** Splits a URL that has passed `checkUrl` into its parts. */
export function destinationOf(text: string): Destination {
  const url = new URL(text);
  const { protocol, port, pathname, search, host } = url;
  const secure = protocol === 'https:';
  return { secure, hostname: hostOf(url), port: Number(port) || (secure ? 443 : 80), path: pathname + search, host };
}

/** Why a URL is rejected. */
export type UrlFault =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'own-address'
  | 'host'
  | 'port'
  | 'forbidden-address'
  | 'ipv6';

const loopbackBlocks = lazy(() => parseAllowList('127.0.0.0/8,::1/128,::ffff:127.0.0.0/104'));

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
  if (isIpAddress(host)) return isAllowed(host, loopbackBlocks());
  return host === 'localhost' || host.endsWith('.localhost');
}

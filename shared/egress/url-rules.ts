import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { lazy } from '#shared/base/cache.ts';

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

/** Addresses that the service may connect to even if they are reserved. */
export type AllowList = Pick<BlockList, 'check'>;

/**
 * The parts of IPv4 that are not the public internet: the IANA special-purpose registry and what clouds use internally.
 */
const reservedIPv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; metadata services of some clouds
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's wire server
  '169.254.0.0/16', // link-local; metadata and credential services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/**
 * All of IPv6 that is allocated for the public internet. Outside it are addresses that embed an IPv4 address (mapped,
 * compatible, translated, NAT64), loopback, unique local, link-local and multicast addresses, and unallocated ones.
 */
const globalIPv6 = ['2000::/3'];

/** The parts of that block that are not public. */
const reservedIPv6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

// Each family has its own list: BlockList treats an IPv4 address like the IPv6 address that it maps to, so in a common
// list a block of one family would affect the other.
const forbiddenIPv4 = lazy(() => blockList(reservedIPv4));
const publicIPv6 = lazy(() => blockList(globalIPv6));
const forbiddenIPv6 = lazy(() => blockList(reservedIPv6));

/**
 * Whether the service must not connect to `ip`. Anything other than a plain IP address is forbidden, even one with a
 * zone.
 */
export function isForbiddenAddress(ip: string, allowList: AllowList): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return true;
  if (isAllowed(ip, allowList)) return false;
  if (isIPv4(ip)) return forbiddenIPv4().check(ip);
  return !publicIPv6().check(ip, 'ipv6') || forbiddenIPv6().check(ip, 'ipv6');
}

/** Whether the allow-list contains the IP address. */
export function isAllowed(ip: string, allowList: AllowList): boolean {
  return allowList.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6');
}

/**
 * Reads CIDR blocks separated by commas: `127.0.0.0/8,::1/128`. An empty text allows nothing.
 *
 * @throws Error that names the first invalid block.
 */
export function parseAllowList(text: string): AllowList {
  return blockList(text.trim() === '' ? [] : text.split(',').map((block) => block.trim()));
}

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [, network = '', prefix] = /^([^/%]+)\/(\d{1,3})$/.exec(block) ?? [];
    try {
      // This parses the address without the regular expression of isIPv6, which takes milliseconds to compile.
      list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
    } catch (cause) {
      throw new Error(`"${block}" is not a CIDR block such as 127.0.0.0/8 or ::1/128`, { cause });
    }
  }
  return list;
}

/** Resolves a fully qualified name to all of its IPv4 and IPv6 addresses, IPv4 first; rejects when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** Milliseconds for the first query to a name server; the second one gets twice as much. */
const timeout = 800;

/**
 * Queries name servers directly and in parallel. The system's `getaddrinfo` reads the hosts file and runs on only four
 * threads, which a few unresponsive names would block for everybody.
 */
export function resolveWith(resolver: Resolver): Resolve {
  return async (name) => {
    // The final dot marks the name as complete, so that no search domain is tried.
    const complete = `${name}.`;
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(complete), resolver.resolve6(complete)]);
    const addresses = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0) throw new Error('The name has no address');
    return addresses;
  };
}

const systemResolver = lazy(() => resolveWith(new Resolver({ timeout, tries: 2 })));

/** Resolves names with the name servers of this machine. */
export const resolveName: Resolve = (name) => systemResolver()(name);

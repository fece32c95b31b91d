import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { lazy } from '#shared/base/cache.ts';

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

import { BlockList, isIP, isIPv4 } from 'node:net';
import { lazy } from '#shared/base/lazy.ts';

/** Addresses that may be reached whatever they are reserved for. */
export type AllowList = Pick<BlockList, 'check'>;

/** What of IPv4 is not the public internet: the IANA special-purpose registry and what clouds keep for themselves. */
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
 * All of IPv6 that is allocated for the public internet. What embeds an IPv4 address (mapped, compatible, translated,
 * NAT64), loopback, unique local, link-local, multicast and the unallocated lie outside.
 */
const globalIPv6 = ['2000::/3'];

/** What inside of it is not public all the same. */
const reservedIPv6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

// A list for each family: BlockList takes an IPv4 address for the IPv6 one that it maps to, so that a block of one
// family would decide about the other.
const forbiddenIPv4 = lazy(() => blockList(reservedIPv4));
const publicIPv6 = lazy(() => blockList(globalIPv6));
const forbiddenIPv6 = lazy(() => blockList(reservedIPv6));

/** Whether the service must not connect to `ip`. What is no plain IP address, one with a zone too, is forbidden. */
export function isForbiddenAddress(ip: string, allowList: AllowList): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return true;
  if (isAllowed(ip, allowList)) return false;
  if (isIPv4(ip)) return forbiddenIPv4().check(ip);
  return !publicIPv6().check(ip, 'ipv6') || forbiddenIPv6().check(ip, 'ipv6');
}

/** Whether the allow-list names the IP address. */
export function isAllowed(ip: string, allowList: AllowList): boolean {
  return allowList.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6');
}

/**
 * Reads CIDR blocks separated by commas: `127.0.0.0/8,::1/128`. The empty text allows nothing.
 *
 * @throws Error that names the first block that is none.
 */
export function parseAllowList(text: string): AllowList {
  return blockList(text.trim() === '' ? [] : text.split(',').map((block) => block.trim()));
}

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [, network = '', prefix] = /^([^/%]+)\/(\d{1,3})$/.exec(block) ?? [];
    const version = isIP(network);
    if (version === 0 || Number(prefix) > (version === 4 ? 32 : 128)) {
      throw new Error(`"${block}" is no CIDR block such as 127.0.0.0/8 or ::1/128`);
    }
    list.addSubnet(network, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

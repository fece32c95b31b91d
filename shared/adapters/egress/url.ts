import { isIP } from 'node:net';
import type { UrlFault } from '#shared/domain/egress/url-fault.ts';
import { type AllowList, isAllowed, isForbiddenAddress } from './addresses.ts';
import { hostOf } from './host.ts';
import type { OwnAddresses } from './own-addresses.ts';
import type { Resolve } from './resolve.ts';

/** What `localhost` stands for, whatever a name server says (RFC 6761, section 6.3). */
const loopback = ['127.0.0.1', '::1'];

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** The scheme's own port is empty in a parsed URL. */
const ports = ['', '80'];

/**
 * What is wrong with a customer's URL, as far as its text tells: it must be absolute and `https`, without user name and
 * password, on port 443 or 80 of a fully qualified name or a public address, and no address of the service's own. An
 * address of the allow-list may have any port and plain `http`. How long a URL may be is for its field to say.
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
  if (!addresses && !isPublicName(host)) return 'host';
  if (url.protocol === 'http:') return 'scheme';
  return ports.includes(url.port) ? undefined : 'port';
}

/**
 * What is wrong with a customer's URL that is about to be saved: as `checkUrl`, and its name must not lead to a
 * forbidden address. A name that has no address yet is taken.
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

/** Where a host is; only a name is looked up. Of `localhost` the part that is allowed, if any is. */
export async function addressesOf(host: string, resolve: Resolve, allowList: AllowList): Promise<string[]> {
  const known = knownAddresses(host);
  if (!known) return resolve(host);
  const allowed = known.filter((address) => isAllowed(address, allowList));
  return allowed.length > 0 ? allowed : known;
}

function parseUrl(text: string): URL | undefined {
  // WHATWG parsing drops white space, control characters and halves of surrogate pairs, and takes a backslash for a
  // slash, where other parsers see another host; a URL that needs that is not what its owner meant. It also reads every
  // notation of an IPv4 address, so that what follows sees only one.
  if (/[\s\\\p{Cc}]/u.test(text) || !text.isWellFormed()) return undefined;
  return URL.parse(text) ?? undefined;
}

function knownAddresses(host: string): string[] | undefined {
  if (host === 'localhost') return loopback;
  return isIP(host) === 0 ? undefined : [host];
}

/** A name that is complete without a search domain and may belong to somebody else than this machine. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  return (
    host.length <= 253 && labels.length > 1 && labels.every((text) => label.test(text)) && labels.at(-1) !== 'localhost'
  );
}

import { Resolver } from 'node:dns/promises';

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

/** Resolves names with the name servers of this machine. */
export const resolveName: Resolve = resolveWith(new Resolver({ timeout, tries: 2 }));

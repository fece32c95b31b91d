import { Resolver } from 'node:dns/promises';

/** All IPv4 and IPv6 addresses of a fully qualified name, IPv4 first; rejects when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** Milliseconds for the first question to a name server; the second gets twice as much. */
const timeout = 800;

/**
 * Asks name servers directly and in parallel: the system's `getaddrinfo` runs on four threads, which a few names that
 * do not answer would hold for everybody, and reads the hosts file.
 */
export function resolveWith(resolver: Resolver): Resolve {
  return async (name) => {
    // The dot at the end says that the name is complete: no search domain is tried.
    const complete = `${name}.`;
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(complete), resolver.resolve6(complete)]);
    const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('The name has no address');
    return addresses;
  };
}

/** With the name servers of this machine. */
export const resolveName: Resolve = resolveWith(new Resolver({ timeout, tries: 2 }));

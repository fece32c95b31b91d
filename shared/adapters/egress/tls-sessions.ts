import { createSecureContext, type SecureContext } from 'node:tls';
import { BoundedMap } from '#shared/base/cache.ts';
import { lazy } from '#shared/base/lazy.ts';

/** The maximum number of servers whose sessions are remembered. */
const maxServers = 500;

/** What the TLS connections of a sender share. */
export interface TlsSessions {
  /** Making one for each connection would read the certificate authorities again. */
  context(): SecureContext;
  /** The latest sessions by host and port. With one, a new connection to the server needs no certificates. */
  readonly latest: Pick<BoundedMap<string, Buffer>, 'get' | 'set' | 'delete'>;
}

/** `caPem` are the certificate authorities to trust instead of Node's own. */
export function tlsSessions(caPem?: string): TlsSessions {
  return {
    context: lazy(() => createSecureContext(caPem === undefined ? {} : { ca: caPem })),
    latest: new BoundedMap(maxServers),
  };
}

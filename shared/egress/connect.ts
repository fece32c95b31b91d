import { once } from 'node:events';
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { BoundedMap, lazy } from '#shared/base/cache.ts';
import { classify, EgressError } from './egress-error.ts';
import { type AllowList, addressesOf, isForbiddenAddress, type Resolve } from './url-rules.ts';

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

export interface ConnectSettings {
  allowList: AllowList;
  resolve: Resolve;
  /** Milliseconds for name resolution, connection and TLS handshake together. */
  connectTimeoutMs: number;
  sessions: TlsSessions;
}

export interface Peer {
  /** A name or an IP address. */
  host: string;
  port: number;
  /** Whether to use TLS. */
  secure: boolean;
}

/** The number of a peer's addresses that are tried in sequence within the time limit. */
const addressesTried = 3;

/**
 * Connects to a peer if all of its addresses are permitted, and only to those addresses. Sends nothing, not even a TLS
 * greeting, before it has checked the address at the other end of the socket as well.
 *
 * @throws EgressError
 */
export async function openConnection(peer: Peer, settings: ConnectSettings): Promise<Socket> {
  const { signal, cancel } = deadline(settings.connectTimeoutMs);
  try {
    const addresses = await permittedAddresses(peer.host, settings, signal);
    const socket = await dial(peer, addresses, settings, signal);
    return peer.secure ? await greet(socket, peer, settings, signal) : socket;
  } finally {
    cancel();
  }
}

async function permittedAddresses(
  host: string,
  { resolve, allowList }: ConnectSettings,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await unlessAborted(addressesOf(host, resolve, allowList), signal).catch((cause) => {
    throw new EgressError('dns', { cause });
  });
  if (addresses.length === 0) throw new EgressError('dns');
  // One forbidden address among others is a sign of DNS rebinding.
  if (addresses.some((address) => isForbiddenAddress(address, allowList))) throw new EgressError('forbidden-address');
  return addresses;
}

async function dial(
  { host, port }: Peer,
  addresses: string[],
  { allowList, connectTimeoutMs }: ConnectSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, found);
  const socket = connectTcp({
    host,
    port,
    lookup,
    noDelay: true,
    autoSelectFamily: true,
    // By default, Node abandons an address after 250 ms, which is too short for distant servers.
    autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeoutMs / addressesTried),
  });
  await ready(socket, 'connect', signal, classify);
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || isForbiddenAddress(remoteAddress, allowList)) {
    socket.destroy();
    throw new EgressError(remoteAddress === undefined ? 'reset' : 'forbidden-address');
  }
  return socket;
}

async function greet(
  socket: Socket,
  { host, port }: Peer,
  { sessions }: ConnectSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const server = `${host} ${port}`;
  const session = sessions.latest.get(server);
  const secured = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    secureContext: sessions.context(),
    ...(session && { session }),
  });
  try {
    await ready(secured, 'secureConnect', signal, () => 'tls');
  } catch (error) {
    sessions.latest.delete(server);
    throw error;
  }
  // Node does not check the server's name again when it resumes a session. So only those of TLS 1.3 are kept, which
  // come after the check.
  secured.on('session', (latest) => sessions.latest.set(server, latest));
  return secured;
}

/** Waits for the event. Destroys the socket if the event does not occur. */
async function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  meaning: typeof classify,
): Promise<void> {
  try {
    await once(socket, event, { signal });
  } catch (cause) {
    socket.destroy();
    throw new EgressError(signal.aborted ? 'connect-timeout' : meaning(cause), { cause });
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** How connections are kept for later requests. */
export interface KeepAlive {
  /** Milliseconds after which an idle connection closes, or earlier if the server announced that. */
  idleMs: number;
  /** Milliseconds after which a connection serves no further request, so that a change of address is noticed. */
  maxAgeMs: number;
  /** The number of idle connections of one agent, to all servers together. */
  maxIdleConnections: number;
}

type OnCreate = (error: Error | null, socket?: Duplex) => void;

/** Makes Node's HTTP client connect through the guard. */
export function guardedConnection(secure: boolean, settings: ConnectSettings) {
  return ({ host, port }: ClientRequestArgs, callback: unknown): undefined => {
    const onCreate = callback as OnCreate;
    openConnection({ host: String(host), port: Number(port), secure }, settings).then(
      (socket) => onCreate(null, socket),
      (error) => onCreate(error),
    );
  };
}

/**
 * Keeps connections of the guard. It uses no proxy. It overrides what Node has no options for: how a connection is made,
 * how old it may become, and how many may be idle to all servers together.
 */
export class GuardedAgent extends Agent {
  readonly #connect: ReturnType<typeof guardedConnection>;
  readonly #keepAlive: KeepAlive;
  readonly #openedAt = new WeakMap<Duplex, number>();

  constructor(secure: boolean, settings: ConnectSettings, keepAlive: KeepAlive) {
    super({ keepAlive: true, timeout: keepAlive.idleMs });
    this.#connect = guardedConnection(secure, settings);
    this.#keepAlive = keepAlive;
  }

  override createConnection(options: ClientRequestArgs, callback: unknown): undefined {
    this.#connect(options, (error: Error | null, socket?: Duplex) => {
      if (socket) this.#openedAt.set(socket, performance.now());
      (callback as OnCreate)(error, socket);
    });
  }

  /** Node closes a connection for which this returns false. */
  override keepSocketAlive(socket: Duplex): boolean {
    const { maxAgeMs, maxIdleConnections } = this.#keepAlive;
    if (performance.now() - (this.#openedAt.get(socket) ?? 0) >= maxAgeMs) return false;
    // Node's types do not tell that it returns false for a connection that the server is about to close.
    if ((super.keepSocketAlive(socket) as unknown) === false) return false;
    // Those that were closed in this turn still count as free.
    const idle = Object.values(this.freeSockets).flatMap((sockets = []) => sockets.filter((free) => !free.destroyed));
    // Servers whose connections have been idle the longest come first.
    if (idle.length >= maxIdleConnections) idle[0]?.destroy();
    return true;
  }
}

/**
 * A signal that aborts after `ms` milliseconds unless it is cancelled. `AbortSignal.timeout` cannot be cancelled, so
 * after each attempt that succeeds it would keep its timer and then create an error for nobody.
 */
export function deadline(ms: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new EgressError('timeout')), ms);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}

import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ConnectSettings, openConnection } from './connect.ts';

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

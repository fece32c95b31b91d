import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectSettings, openConnection } from './connect.ts';

export interface Agents {
  /** Returns the agent for URLs with this protocol. */
  of(protocol: string): HttpAgent;
  /** Closes all connections, active and idle. */
  destroy(): void;
}

/** How connections are kept for later requests. */
export interface KeepAlive {
  /** Milliseconds after which an idle connection closes, or earlier if the server announced that. */
  idleMs: number;
  /** Milliseconds after which a connection serves no further request, so that a change of address is noticed. */
  maxAgeMs: number;
  /** The number of idle connections to all servers together. */
  maxIdleConnections: number;
}

type OnCreate = (error: Error | null, socket?: Duplex) => void;

/**
 * Creates agents of Node's HTTP client. `openConnection` makes all of their connections; they use no proxy. Without
 * `keepAlive`, each request has a connection of its own.
 */
export function createAgents(settings: ConnectSettings, keepAlive?: KeepAlive): Agents {
  const options = keepAlive ? { keepAlive: true, timeout: keepAlive.idleMs } : { keepAlive: false };
  const openedAt = new WeakMap<Duplex, number>();
  /** The connection that has been idle the longest is first. */
  const idle = new Set<Duplex>();
  const http = bounded(guarded(new HttpAgent(options), false));
  const https = bounded(guarded(new HttpsAgent(options), true));

  function guarded(agent: HttpAgent, secure: boolean): HttpAgent {
    agent.createConnection = ({ host, port }, callback) => {
      const onCreate = callback as OnCreate;
      openConnection({ host: String(host), port: Number(port), secure }, settings).then(
        (socket) => {
          openedAt.set(socket, performance.now());
          socket.once('close', () => idle.delete(socket));
          onCreate(null, socket);
        },
        (error) => onCreate(error),
      );
      return undefined;
    };
    return agent;
  }

  /** Closes the connection that has been idle the longest when there is one too many. Node bounds them by server. */
  function bounded(agent: HttpAgent): HttpAgent {
    const { keepSocketAlive, reuseSocket } = agent;
    agent.keepSocketAlive = (socket) => {
      if (!keepAlive || performance.now() - (openedAt.get(socket) ?? 0) >= keepAlive.maxAgeMs) return false;
      // Node's types do not tell that it returns false for a connection that the server is about to close.
      if ((keepSocketAlive.call(agent, socket) as unknown) === false) return false;
      idle.add(socket);
      const [oldest] = idle;
      if (oldest && idle.size > keepAlive.maxIdleConnections) {
        // Its `close` comes too late for others that become idle in this turn.
        idle.delete(oldest);
        oldest.destroy();
      }
      return true;
    };
    agent.reuseSocket = (socket, request) => {
      idle.delete(socket);
      reuseSocket.call(agent, socket, request);
    };
    return agent;
  }

  return {
    of: (protocol) => (protocol === 'https:' ? https : http),
    destroy() {
      http.destroy();
      https.destroy();
    },
  };
}

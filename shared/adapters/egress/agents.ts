import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectSettings, openConnection } from './connect.ts';

export interface Agents {
  /** Returns the agent for URLs with this protocol. */
  of(protocol: string): HttpAgent;
  /** Closes all connections, active and idle. */
  destroy(): void;
}

type OnCreate = (error: Error | null, socket?: Duplex) => void;

/** Creates agents of Node's HTTP client. `openConnection` makes all of their connections; they use no proxy. */
export function createAgents(settings: ConnectSettings, options: AgentOptions): Agents {
  const http = guarded(new HttpAgent(options), false);
  const https = guarded(new HttpsAgent(options), true);

  function guarded(agent: HttpAgent, secure: boolean): HttpAgent {
    agent.createConnection = ({ host, port }, callback) => {
      const onCreate = callback as OnCreate;
      openConnection({ host: String(host), port: Number(port), secure }, settings).then(
        (socket) => onCreate(null, socket),
        (error) => onCreate(error),
      );
      return undefined;
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

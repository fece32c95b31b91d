/**
 * `node judges/forward.ts`: containers do not reach what listens on 127.0.0.1, as everything of the local world does.
 * Forwards from the address and the ports that `env.json` names, until it is stopped.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { root } from '#infra/paths.ts';

/** Forwards from these ports of an address of this machine to the same ports of 127.0.0.1. */
export async function forward(address: string, ports: Iterable<number>): Promise<() => void> {
  const sockets = new Set<Socket>();
  const servers = [...ports].map((port) =>
    createServer((from) => {
      const to = connect(port, '127.0.0.1');
      sockets.add(from);
      pipeline(from, to, from, () => sockets.delete(from));
    }).listen(port, address),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return () => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  };
}

/** The ports of this address in the content of an `env.json`. */
export function portsOf(address: string, environment: string): Set<number> {
  const ports = environment.split(`http://${address}:`).slice(1);
  return new Set(ports.map((text) => Number.parseInt(text, 10)));
}

if (import.meta.main) {
  const environment = readFileSync(join(root, 'env.json'), 'utf8');
  const [, address = ''] = /"AWS_ENDPOINT_URL_DYNAMODB": "http:\/\/([\d.]+):/.exec(environment) ?? [];
  await forward(address, portsOf(address, environment));
  console.log(`forwarding from ${address}`);
}

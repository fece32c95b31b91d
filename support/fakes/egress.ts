import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseAllowList } from '#shared/adapters/egress/addresses.ts';
import { parseOwnAddresses } from '#shared/adapters/egress/own-addresses.ts';
import { createSender, type SenderSettings } from '#shared/adapters/egress/send.ts';
import type { Sender } from '#shared/domain/egress/sender.ts';

export const nothing = parseAllowList('');
export const loopback = parseAllowList('127.0.0.0/8,::1/128');

/** The service that tests send for: nothing leads to it, and this is its mark. */
export const sendingService = { isOwn: parseOwnAddresses(''), mark: 'messaging-service-test' } as const;

const fixture = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url), 'utf8');

/** Vouches for `serverCredentials`, and nobody else trusts it. */
export const caPem = fixture('ca.pem');

/** Of `localhost`, `receiver.example.com` and 127.0.0.1; the key is public and good for tests only. */
export const serverCredentials = { key: fixture('server-key.pem'), cert: fixture('server-certificate.pem') };

export interface Listening {
  port: number;
  /** Every connection that was made. */
  connections: Socket[];
}

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function listen(server: Server): Promise<Listening> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/** A TCP server that does as it is told with each piece of data that comes. */
export function listenRaw(onData: (socket: Socket, data: Buffer) => void): Promise<Listening> {
  return listen(createServer((socket) => socket.on('data', (data) => onData(socket, data))));
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A sender that may reach loopback, until the test is over. */
export function testSender(settings: Partial<SenderSettings> = {}): Sender {
  const sender = createSender({ allowList: loopback, ...sendingService, ...settings });
  onTestFinished(() => sender.close());
  return sender;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Ledger } from './ledger.ts';

/** The behaviour of a number's receiver while there are faults. */
export type Character = 'healthy' | 'failing' | 'hanging' | 'slow' | 'closing' | 'changing';

export interface ReceiverOptions {
  ledger: Ledger;
  random: () => number;
  /** A response after this time may be too late for the service. */
  inTimeMs: number;
}

interface Customer {
  character: Character;
  /** All secrets that may have signed its notifications. */
  secrets: string[];
}

/** How long a failing receiver fails, and how long it works in between. */
const outageMs = 15_000;

/** Starts one server with all customers' webhooks: `/number/target/anything`. Each arrival goes into the ledger. */
export async function startReceivers({ ledger, random, inTimeMs }: ReceiverOptions) {
  const customers = new Map<string, Customer>();
  let faulty = true;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number = '', target = ''] = (request.url ?? '').split('/');
    const body = Buffer.concat(await request.toArray()).toString();
    const at = Date.now();
    const customer = customers.get(number);
    const react = reactions[faulty ? (customer?.character ?? 'healthy') : 'healthy'];
    const answered = await react(response, random());
    const received = answered && Date.now() - at < inTimeMs;
    const signed = customer === undefined || isSigned(body, request.headers, customer.secrets);
    const item = itemOf(body);
    if (customer && item) ledger.arrive({ number, target: target as Target, item, at, received, signed });
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.destroy());
  });
  const { url, close } = await listenOnLoopback(server, 0);
  return {
    url,
    add: (number: string, customer: Customer) => void customers.set(number, customer),
    addSecret: (number: string, secret: string) => void customers.get(number)?.secrets.push(secret),
    /** Makes every receiver respond with 200 from now on. */
    heal: () => {
      faulty = false;
      // Hanging requests will never get a response.
      server.closeAllConnections();
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await close();
    },
  };
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/**
 * The reaction of each character to a request, given a random number in [0, 1). Returns whether it sent a complete 200.
 */
const reactions: Record<Character, (response: ServerResponse, luck: number) => boolean | Promise<boolean>> = {
  healthy: ok,
  changing: ok,
  failing: (response, luck) => (isOutage() || luck < 0.05 ? reject(response) : ok(response)),
  hanging: (response, luck) => luck > 0.03 && ok(response),
  slow: async (response, luck) => {
    await delay(200 + luck * 200);
    return ok(response);
  },
  closing: (response, luck) => {
    if (luck > 0.1) return ok(response);
    if (luck > 0.05) response.socket?.resetAndDestroy();
    else response.writeHead(200, { 'content-length': '100' }).write('{"half":', () => response.socket?.end());
    return false;
  },
};

const isOutage = () => Math.floor(Date.now() / outageMs) % 2 === 0;

function ok(response: ServerResponse): boolean {
  response.writeHead(200).end();
  return true;
}

function reject(response: ServerResponse): boolean {
  response.writeHead(503).end();
  return false;
}

function isSigned(body: string, headers: IncomingMessage['headers'], secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns the item of a notification; `undefined` for test notifications. */
function itemOf(body: string): string | undefined {
  const { messages, statuses } = JSON.parse(body) as Record<string, { id: string; status: string }[] | undefined>;
  const [message] = messages ?? [];
  const [status] = statuses ?? [];
  if (message?.id.startsWith('wamid.soak')) return message.id;
  return status?.id.startsWith('wamid.soak') ? `${status.id} ${status.status}` : undefined;
}

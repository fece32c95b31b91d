import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { signedEvent, type TextMessage, textMessage } from './signed-event.ts';

/** Where messages go: to the service, for a number. */
export interface Destination {
  /** The address for the upstream's events. */
  events: string;
  appSecret: string;
  phoneNumberId: string;
}

export interface Load {
  /** The destinations get the messages one after the other. */
  destinations: readonly Destination[];
  posts: number;
  messagesAPost: number;
  /**
   * Either POSTs per second, sent at fixed times without waiting for earlier responses, or a number of parallel loops
   * that each send one POST after the other.
   */
  pace: { perSecond: number } | { atOnce: number };
  /** The indexes of the destinations whose messages are awaited and measured; all if absent. */
  measured?: readonly number[];
}

export interface Arrivals {
  /** For each message, the time from its planned sending to its arrival at the receiver. */
  latencies: number[];
  /** The time from the first sending to the last arrival. */
  milliseconds: number;
  /** The time from the first sending to the service's last response. */
  acceptedAfter: number;
}

export interface Ready {
  receiverUrl: string;
}

export type Reply = Arrivals | { error: string };

/** No measurement takes this long. */
const patienceMs = 45_000;

const slowMs = 200;
/** Well below the time limit of an attempt. */
const lateMs = 2_000;
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

type OnArrival = (messageId: string, at: number) => void;
const listeners = new Set<OnArrival>();

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(incoming);
  const at = performance.now();
  if (incoming.url?.startsWith('/dead')) return;
  const { messages } = JSON.parse(body) as { messages: TextMessage[] };
  for (const listener of listeners) listener(String(messages[0]?.id), at);
  if (incoming.url?.startsWith('/slow')) await delay(slowMs);
  if (incoming.url?.startsWith('/late')) await delay(lateMs);
  response.writeHead(200).end();
}

async function send({ destinations, posts, messagesAPost, pace, measured }: Load): Promise<Arrivals> {
  const expected = new Map<string, number>();
  const latencies: number[] = [];
  const all = Promise.withResolvers<void>();
  let last = 0;
  let sending = true;
  const listener: OnArrival = (id, at) => {
    const dueAt = expected.get(id);
    if (dueAt === undefined) return;
    expected.delete(id);
    latencies.push(at - dueAt);
    last = at;
    if (!sending && expected.size === 0) all.resolve();
  };
  listeners.add(listener);

  const start = performance.now();
  const sendOne = async (index: number, dueAt: number) => {
    const turn = index % destinations.length;
    const destination = destinations[turn];
    if (!destination) throw new Error('There is nowhere to send to');
    const messages = Array.from({ length: messagesAPost }, textMessage);
    if (measured?.includes(turn) ?? true) for (const { id } of messages) expected.set(id, dueAt);
    await post(destination.events, signedEvent(destination.phoneNumberId, messages, destination.appSecret));
  };
  if ('perSecond' in pace) await atRate(posts, pace.perSecond, start, sendOne);
  else await atOnce(posts, pace.atOnce, sendOne);
  const acceptedAfter = performance.now() - start;
  sending = false;
  if (expected.size > 0) await withinPatience(all.promise, () => `${expected.size} messages did not arrive`);
  listeners.delete(listener);
  return { latencies, milliseconds: last - start, acceptedAfter };
}

async function atRate(posts: number, perSecond: number, start: number, sendOne: SendOne): Promise<void> {
  const running: Promise<void>[] = [];
  for (let index = 0; index < posts; index++) {
    const dueAt = start + (index * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    running.push(sendOne(index, dueAt));
  }
  await Promise.all(running);
}

async function atOnce(posts: number, count: number, sendOne: SendOne): Promise<void> {
  const indexes = Array(posts).keys();
  const worker = async () => {
    for (const index of indexes) await sendOne(index, performance.now());
  };
  await Promise.all(Array.from({ length: count }, worker));
}

type SendOne = (index: number, dueAt: number) => Promise<void>;

function post(url: string, { headers, body }: { headers: object; body: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    sending.on('error', reject);
    sending.on('response', (answer) => {
      answer.resume();
      if (answer.statusCode === 200) answer.on('end', resolve);
      else reject(new Error(`${url} answered ${answer.statusCode}`));
    });
    sending.end(body);
  });
}

async function withinPatience(work: Promise<void>, complaint: () => string): Promise<void> {
  const over = new AbortController();
  const timeout = delay(patienceMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(complaint());
  });
  await Promise.race([work, timeout]).finally(() => over.abort());
}

parentPort?.on('message', async (load: Load) => {
  const reply: Reply = await send(load).catch((error: unknown) => ({ error: String(error) }));
  parentPort?.postMessage(reply);
});

const server = createServer((incoming, response) => {
  receive(incoming, response).catch(() => incoming.destroy());
});
// Node must not close the connections of a dead receiver, which never responds.
server.requestTimeout = 0;
const { url } = await listenOnLoopback(server, 0);
parentPort?.postMessage({ receiverUrl: url } satisfies Ready);

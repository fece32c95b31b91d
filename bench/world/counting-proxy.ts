import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '#local/aws/base/http/loopback.ts';

/** A DynamoDB call with the read or write capacity that it consumed; 0 if it failed. */
export interface DynamoDbCall {
  name: string;
  /** A call that is not a read is a write. */
  isRead: boolean;
  capacityUnits: number;
  /** The kind of the first key in it, such as `DELIVERIES`. */
  kind: string;
}

export interface CountingProxy extends LoopbackServer {
  /** Returns the calls since the previous `take`, in order. */
  take(): DynamoDbCall[];
}

interface EngineResponse {
  ConsumedCapacity?: Capacity | Capacity[];
}

interface Capacity {
  CapacityUnits?: number;
}

/** Starts a proxy before a DynamoDB engine. It records every call and asks the engine for the consumed capacity. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let calls: DynamoDbCall[] = [];

  async function pass(incoming: IncomingMessage, toClient: ServerResponse): Promise<void> {
    const body = JSON.stringify({ ...JSON.parse(await text(incoming)), ReturnConsumedCapacity: 'TOTAL' });
    const headers = { ...incoming.headers, 'content-length': Buffer.byteLength(body) };
    const onward = request(target, { method: 'POST', headers, agent });
    const [response, content] = await new Promise<[IncomingMessage, string]>((resolve, reject) => {
      onward.on('response', (received) => text(received).then((content) => resolve([received, content]), reject));
      onward.on('error', reject);
      onward.end(body);
    });
    const name = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const kind = /"S":"([A-Z_]+)#/.exec(body)?.[1] ?? '';
    calls.push({ name, kind, isRead: /Get|Query|Scan/.test(name), capacityUnits: capacityOf(JSON.parse(content)) });
    toClient.writeHead(response.statusCode ?? 500, response.headers).end(content);
  }

  const server = createServer((incoming, toClient) => {
    pass(incoming, toClient).catch(() => toClient.destroy());
  });
  const proxy = await listenOnLoopback(server, 0);
  return {
    url: proxy.url,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
    async close() {
      await proxy.close();
      agent.destroy();
    },
  };
}

/** Sums the capacity over all tables. */
export function capacityOf({ ConsumedCapacity = [] }: EngineResponse): number {
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '#local/aws/base/loopback.ts';

/** A DynamoDB call with the read or write capacity that it consumed; 0 if it failed. */
export interface DynamoDbCall {
  name: string;
  capacityUnits: number;
}

export interface CountingProxy extends LoopbackServer {
  /** Returns the calls since the previous `take`, in order. */
  take(): DynamoDbCall[];
}

interface Answer {
  ConsumedCapacity?: Capacity | Capacity[];
}

interface Capacity {
  CapacityUnits?: number;
}

/** Starts a proxy before a DynamoDB engine. It records every call and asks the engine for the consumed capacity. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let calls: DynamoDbCall[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = { ...JSON.parse(await text(incoming)), ReturnConsumedCapacity: 'TOTAL' };
    const body = JSON.stringify(call);
    const headers = { ...incoming.headers, 'content-length': Buffer.byteLength(body) };
    const onward = request(target, { method: 'POST', headers, agent });
    const [answer, content] = await new Promise<[IncomingMessage, string]>((resolve, reject) => {
      onward.on('response', (response) => text(response).then((content) => resolve([response, content]), reject));
      onward.on('error', reject);
      onward.end(body);
    });
    calls.push({
      name: String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '',
      capacityUnits: capacityOf(JSON.parse(content)),
    });
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(content);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
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
function capacityOf({ ConsumedCapacity = [] }: Answer): number {
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

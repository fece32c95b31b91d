import { Agent, createServer, request } from 'node:http';
import { type LoopbackServer, listenOnLoopback } from '../local/loopback.ts';

export interface CountingProxy extends LoopbackServer {
  /** The names of the AWS calls that passed since this was last asked, in their order. */
  take(): string[];
}

/** Stands before a service that speaks AWS JSON and remembers what it is asked. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let calls: string[] = [];
  const server = createServer((incoming, outgoing) => {
    calls.push(String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '');
    const onward = request(
      target,
      { method: incoming.method ?? 'POST', headers: incoming.headers, agent },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
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

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Arrivals, Load, Ready, Reply } from './outside-worker.ts';

/** The sending upstream and the receivers, on their own thread so that the service does not distort their clock. */
export interface Outside {
  /** Each path is a receiver. Paths below `/slow` respond after 200 ms, `/late` after 2 s, `/dead` never. */
  receiverUrl: string;
  /** Sends the load and waits until every measured message has arrived. One load at a time. */
  send(load: Load): Promise<Arrivals>;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const worker = new Worker(new URL('./outside-worker.ts', import.meta.url));
  const [{ receiverUrl }] = (await once(worker, 'message')) as [Ready];
  return {
    receiverUrl,
    async send(load) {
      worker.postMessage(load);
      const [reply] = (await once(worker, 'message')) as [Reply];
      if ('error' in reply) throw new Error(reply.error);
      return reply;
    },
    async close() {
      await worker.terminate();
    },
  };
}

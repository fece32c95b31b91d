import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Api, Call, Ready, Reply } from './outside-worker.ts';

/** The sending upstream and the receivers, on their own thread so that the service does not distort their clock. */
export interface Outside extends Api {
  /** Each path is a receiver. Paths below `/slow` respond after 200 ms, `/late` after 2 s, `/dead` never. */
  receiverUrl: string;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const worker = new Worker(new URL('./outside-worker.ts', import.meta.url));
  const [{ receiverUrl }] = (await once(worker, 'message')) as [Ready];
  const pending = new Map<number, PromiseWithResolvers<never>>();
  let calls = 0;
  worker.on('message', ({ call, result, error }: Reply) => {
    const { resolve, reject } = pending.get(call) ?? Promise.withResolvers();
    pending.delete(call);
    if (error === undefined) resolve(result as never);
    else reject(new Error(error));
  });
  const ask =
    <Name extends keyof Api>(name: Name) =>
    (...args: Parameters<Api[Name]>): ReturnType<Api[Name]> => {
      const answer = Promise.withResolvers<never>();
      calls += 1;
      pending.set(calls, answer);
      worker.postMessage({ call: calls, name, args } satisfies Call);
      return answer.promise as ReturnType<Api[Name]>;
    };
  return {
    receiverUrl,
    send: ask('send'),
    arrivals: ask('arrivals'),
    async close() {
      await worker.terminate();
    },
  };
}

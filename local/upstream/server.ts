import { createServer } from 'node:http';
import { join } from 'node:path';
import { JournaledMap } from '../journal.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { BusinessAccount } from './accounts.ts';
import { FaultQueue } from './faults.ts';
import { flowRoutes } from './flow-routes.ts';
import { FlowStore } from './flow-store.ts';
import type { Flow } from './flows.ts';
import { RequestHandler } from './request-handler.ts';
import { RequestLog } from './request-log.ts';

export interface UpstreamOptions {
  /** The accounts that the access token may manage. */
  readonly accounts: readonly BusinessAccount[];
  readonly accessToken: string;
  readonly appSecret: string;
  /** 0, the default, picks a free one. */
  readonly port?: number;
  /** Where state is kept between runs; without it, it ends with the process. */
  readonly dataDir?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The origin in links that are handed out; by default the one that the caller used. */
  readonly publicUrl?: string;
}

export interface Upstream {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Also lets go of the requests that faults hold. */
  close(): Promise<void>;
}

/** Starts the simulated upstream: Graph under `/` and `/vNN.N/`, its control surface under `/simulator/`. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { accounts, accessToken, appSecret, port = 0, dataDir, now = Date.now, publicUrl } = options;
  const records = dataDir === undefined ? undefined : new JournaledMap<Flow>(join(dataDir, 'flows.jsonl'));
  const store = new FlowStore(records ?? new Map());
  const handler = new RequestHandler({
    accounts,
    publicUrl,
    graph: { credentials: { accessToken, appSecret }, routes: flowRoutes({ accounts, store, now }) },
    control: { faults: new FaultQueue(), log: new RequestLog(), store, now },
  });
  const server = createServer((request, response) => handler.handle(request, response));
  const { url, close } = await listenOnLoopback(server, port);
  return {
    url,
    async close() {
      handler.letGo();
      await close();
      records?.close();
    },
  };
}

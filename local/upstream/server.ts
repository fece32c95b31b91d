import { createServer } from 'node:http';
import { join } from 'node:path';
import { JournaledMap } from '../journal.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { BusinessAccount } from './accounts.ts';
import { endpointClient } from './endpoint-client.ts';
import { endpointObstacle } from './endpoint-control.ts';
import { flowStatusChange } from './events.ts';
import { FaultQueue } from './faults.ts';
import { flowRoutes } from './flow-routes.ts';
import { FlowStore } from './flow-store.ts';
import type { Flow } from './flows.ts';
import { encryptionRoutes } from './public-keys.ts';
import { RequestHandler } from './request-handler.ts';
import { RequestLog } from './request-log.ts';
import { WebhookSender } from './webhook-sender.ts';

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
  /** Where webhooks go from the start, without a handshake; until there is one, none are sent. */
  readonly callbackUrl?: string;
  /** The pauses before a webhook is sent again that was not answered with 200, in milliseconds. */
  readonly webhookRetryMs?: readonly number[];
}

const WEBHOOK_RETRY_MS = [1_000, 5_000, 15_000];

export interface Upstream {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Also lets go of the requests that faults hold. */
  close(): Promise<void>;
}

/** Starts the simulated upstream: Graph under `/` and `/vNN.N/`, its control surface under `/simulator/`. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { accounts, accessToken, appSecret, port = 0, dataDir, now = Date.now, publicUrl } = options;
  const { callbackUrl, webhookRetryMs = WEBHOOK_RETRY_MS } = options;
  const sender = new WebhookSender({ appSecret, now, callbackUrl, retryMs: webhookRetryMs });
  const records = dataDir === undefined ? undefined : new JournaledMap<Flow>(join(dataDir, 'flows.jsonl'));
  const store = new FlowStore(records ?? new Map(), (flow, old) => sender.announce(flowStatusChange(flow, old)));
  const publicKeys = dataDir === undefined ? undefined : new JournaledMap<string>(join(dataDir, 'public-keys.jsonl'));
  const endpoints = { accounts, publicKeys: publicKeys ?? new Map(), askEndpoint: endpointClient(appSecret) };
  const routes = [
    ...flowRoutes({ accounts, store, now, endpointObstacle: (flow) => endpointObstacle(endpoints, flow) }),
    ...encryptionRoutes(accounts, endpoints.publicKeys),
  ];
  const handler = new RequestHandler({
    accounts,
    publicUrl,
    graph: { credentials: { accessToken, appSecret }, routes },
    control: { faults: new FaultQueue(), log: new RequestLog(), store, now, sender, ...endpoints },
  });
  const server = createServer((request, response) => handler.handle(request, response));
  const { url, close } = await listenOnLoopback(server, port);
  return {
    url,
    async close() {
      handler.letGo();
      sender.close();
      await close();
      records?.close();
      publicKeys?.close();
    },
  };
}

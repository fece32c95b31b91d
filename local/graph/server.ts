import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { JournaledMap } from '../aws/base/journal.ts';
import { CallPermissionStore, callPermissionControl } from './calls/permission-store.ts';
import { Recordings } from './calls/recordings.ts';
import { callRoutes } from './calls/routes.ts';
import { callControl, Switchboard } from './calls/switchboard.ts';
import { FaultQueue, faultControl } from './control/faults.ts';
import { Conversations, conversationControl } from './conversations/conversations.ts';
import type { BusinessAccount } from './core/accounts.ts';
import type { Change, Platform } from './core/platform.ts';
import { type Contact, Population, populationControl } from './core/population.ts';
import { observed, type Records, type Watch } from './core/records.ts';
import { SetupFaults, setupControl } from './core/setup-faults.ts';
import { eventControl } from './events/control.ts';
import { flowStatusChange } from './events/events.ts';
import { type SentWebhook, WebhookSender } from './events/webhook-sender.ts';
import { flowControl } from './flows/control.ts';
import { Endpoints, type SealRequest } from './flows/endpoints.ts';
import { encryptionRoutes, faultyKeys } from './flows/public-keys.ts';
import { flowRoutes } from './flows/routes.ts';
import { FlowStore } from './flows/store.ts';
import { get } from './http/control-route.ts';
import { permitted } from './http/graph-route.ts';
import { RequestLog } from './http/request-log.ts';
import { mediaControl } from './media/control.ts';
import { FlowFiles } from './media/flow-files.ts';
import type { Media } from './media/media.ts';
import { downloadUrl, mediaRoutes } from './media/routes.ts';
import { MediaStore } from './media/store.ts';
import { Billing } from './messages/billing.ts';
import { messageControl } from './messages/control.ts';
import { FlowPhone } from './messages/flow-phone.ts';
import { Inbox } from './messages/inbox.ts';
import { Outbox } from './messages/outbox.ts';
import { messageRoutes } from './messages/routes.ts';
import { defaultSendingSettings, type Sending, type SendingSettings } from './messages/settings.ts';
import { templateRoutes } from './messages/template-routes.ts';
import { Templates } from './messages/templates.ts';
import { Windows } from './messages/windows.ts';
import { RequestHandler } from './request-handler.ts';
import { CallingSettings, settingsRoutes } from './settings/calling-settings.ts';
import { AccountSubscriptions, accountRoutes } from './setup/account.ts';
import { analyticsRoutes } from './setup/analytics.ts';
import { AppSubscription, appRoutes } from './setup/app.ts';
import { handshakeOf } from './setup/callbacks.ts';
import { NumberSetup, numberRoutes } from './setup/number-setup.ts';
import { profileRoutes } from './setup/profiles.ts';
import { routing } from './setup/routing.ts';
import { Tokens } from './setup/tokens.ts';

export interface UpstreamOptions {
  /** The accounts that the access token may manage. */
  readonly accounts: readonly BusinessAccount[];
  readonly accessToken: string;
  readonly appSecret: string;
  /** The encryption of phones. The product has it, which the simulation does not know, so it is passed in. */
  readonly sealRequest: SealRequest;
  /** 0, the default, picks a free one. */
  readonly port?: number;
  /** Further host names that clients may use. */
  readonly hosts?: readonly string[] | undefined;
  /** Where state is kept between runs. Without it, the state ends with the process. */
  readonly dataDir?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The origin in links. Defaults to the origin that the caller used. */
  readonly publicUrl?: string;
  /** Where webhooks go from the start, without a handshake. Without a callback, none are sent. */
  readonly callbackUrl?: string;
  /** The pauses in milliseconds before a webhook is sent again. A response other than 200 causes a retry. */
  readonly webhookRetryMs?: readonly number[];
  /** Replaces Meta's settings. */
  readonly sendingSettings?: Partial<SendingSettings>;
  /** Hears of every request, every webhook that is sent, and every change of what the simulator keeps. */
  readonly watch?: Watch | undefined;
}

const defaultWebhookRetryMs = [1_000, 5_000, 15_000];

export interface Upstream {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Also ends the requests that faults keep waiting. */
  close(): Promise<void>;
}

/** Starts the simulated upstream: Graph under `/` and `/vNN.N/`, its control surface under `/simulator/`. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { accounts, accessToken, appSecret, sealRequest, port = 0, dataDir, now = Date.now, publicUrl } = options;
  const { callbackUrl, webhookRetryMs = defaultWebhookRetryMs, watch } = options;
  const { open, closeAll } = recordFiles(dataDir, watch);
  const population = new Population(open<Contact>('contacts'), (ids) => watch?.('population', 'ids', { ids }));
  const setupFaults = new SetupFaults((on) => watch?.('setup', 'faults', { faults: on }));
  const platform: Platform = {
    accounts,
    population,
    faults: setupFaults,
    open,
    now,
    announce(change) {
      const event = onEvent(change);
      const callback = callbackFor(event);
      if (callback !== undefined) sender.announce(callback, event);
    },
  };
  const tokens = new Tokens({ accounts, accessToken, appSecret, faults: setupFaults, now });
  const onSent = (webhook: SentWebhook) => watch?.('events', webhook.id, webhook);
  const sender = new WebhookSender({ appSecret: () => tokens.appSecret, now, retryMs: webhookRetryMs, onSent });
  const app = new AppSubscription(platform, callbackUrl);
  const subscriptions = new AccountSubscriptions(platform);
  const numbers = new NumberSetup(platform);
  const callbackFor = routing(platform, app, subscriptions, numbers);
  const handshake = handshakeOf(sender);
  const callingSettings = new CallingSettings(platform);

  const sending: Sending = { settings: { ...defaultSendingSettings, ...options.sendingSettings } };
  const windows = new Windows(platform, sending);
  const inbox = new Inbox(platform, windows);
  const conversations = new Conversations(platform);
  const onEvent = (change: Change) => {
    inbox.note(change);
    return conversations.routed(change);
  };

  const flows = new FlowStore(open('flows'), (flow, old) => platform.announce(flowStatusChange(flow, old)));
  const publicKeys = faultyKeys(open<string>('public-keys'), setupFaults);
  const endpoints = new Endpoints({ platform, publicKeys, appSecret: () => tokens.appSecret, sealRequest });
  const media = new MediaStore(platform, dataDir && join(dataDir, 'media'));
  let origin = publicUrl;
  const urlOf = (file: Media) => downloadUrl(media, file, origin ?? 'http://localhost');
  const permissions = new CallPermissionStore(platform);
  const switchboard = new Switchboard({
    platform,
    callingSettings,
    permissions,
    recordings: new Recordings({ media, urlOf, now }),
    contactActed: (chat) => windows.contactActed(chat),
  });
  const templates = new Templates(open('templates'));
  const outbox = new Outbox(platform, sending, new Billing(platform, windows, sending));
  const files = new FlowFiles({ media, origin: () => origin ?? 'http://localhost', now });
  const phone = new FlowPhone({ platform, flows, templates, endpoints, files });
  const messages = { platform, outbox, inbox, windows, templates, sending };
  const calls = { platform, callingSettings, permissions, numbers };
  const faults = new FaultQueue((rules) => watch?.('rules', 'rules', { data: rules }));
  const log = new RequestLog();

  const handler = new RequestHandler({
    accounts,
    publicUrl,
    faults,
    setupFaults,
    log,
    watch,
    now,
    files,
    graph: {
      tokens,
      routes: [
        ...appRoutes(tokens, app, handshake),
        ...permitted('whatsapp_business_messaging', [
          ...mediaRoutes(platform, media),
          ...callRoutes({ ...calls, switchboard }),
          ...messageRoutes({ ...messages, ...calls, conversations, flows, media }),
          ...encryptionRoutes(platform, publicKeys),
        ]),
        ...permitted('whatsapp_business_management', [
          ...accountRoutes(platform, app, subscriptions, handshake),
          ...numberRoutes({ platform, app, subscriptions, numbers, callingSettings, handshake }),
          ...settingsRoutes(platform, callingSettings),
          ...templateRoutes(platform, templates, flows),
          ...profileRoutes(platform),
          ...analyticsRoutes(platform),
          ...flowRoutes(platform, flows, endpoints),
        ]),
      ],
    },
    control: [
      ...faultControl(faults),
      get('/requests', () => ({ data: log.entries })),
      ...setupControl(setupFaults),
      ...eventControl({ platform, sender, store: media, callbackFor, onEvent }),
      ...flowControl(flows, endpoints, now),
      ...callControl(platform, callingSettings, switchboard),
      ...callPermissionControl(platform, permissions),
      ...populationControl(population),
      ...mediaControl(platform, media),
      ...conversationControl(platform, conversations),
      ...messageControl({ ...messages, phone }),
    ],
  });
  const handle: RequestListener = (request, response) => handler.handle(request, response);
  const server = createServer(localRequests(handle, { hosts: options.hosts }));
  const { url, close } = await listenOnLoopback(server, port);
  origin ??= url;
  return {
    url,
    async close() {
      handler.letGo();
      switchboard.close();
      outbox.close();
      sender.close();
      await close();
      closeAll();
    },
  };
}

/** Opens records by name: in files of the folder, or in memory without a folder. */
function recordFiles(dataDir: string | undefined, watch: Watch | undefined) {
  const files: JournaledMap<unknown>[] = [];
  return {
    open<V>(name: string): Records<V> {
      if (dataDir === undefined) return observed(new Map<string, V>(), name, watch);
      const file = new JournaledMap<V>(join(dataDir, `${name}.jsonl`));
      files.push(file as JournaledMap<unknown>);
      return observed(file, name, watch);
    },
    closeAll() {
      for (const file of files) file.close();
    },
  };
}

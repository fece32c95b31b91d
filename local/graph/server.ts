import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { JournaledMap } from '../aws/base/journal.ts';
import type { Call } from './calls/calls.ts';
import { callControl } from './calls/control.ts';
import { callPermissionControl } from './calls/permission-control.ts';
import { CallPermissionStore } from './calls/permission-store.ts';
import type { CallPermission } from './calls/permissions.ts';
import { Recordings } from './calls/recordings.ts';
import { callRoutes } from './calls/routes.ts';
import { type CallSettings, defaultCallSettings } from './calls/settings.ts';
import { Switchboard } from './calls/switchboard.ts';
import { windowOpeners } from './calls/window-openers.ts';
import { faultControl } from './control/fault-control.ts';
import { FaultQueue } from './control/faults.ts';
import { conversationControl } from './conversations/control.ts';
import { type Conversation, Conversations } from './conversations/conversations.ts';
import type { BusinessAccount } from './core/accounts.ts';
import { type Contact, Population, type PopulationIds } from './core/population.ts';
import { observed, type Records } from './core/records.ts';
import type { Watch } from './core/watch.ts';
import { eventControl } from './events/control.ts';
import { type Change, flowStatusChange } from './events/events.ts';
import { type SentWebhook, WebhookSender } from './events/webhook-sender.ts';
import { flowControl } from './flows/control.ts';
import { endpointClient, type SealRequest } from './flows/endpoint-client.ts';
import { askFlow, endpointObstacle } from './flows/endpoint-control.ts';
import type { Flow } from './flows/flows.ts';
import { encryptionRoutes, faultyKeys } from './flows/public-keys.ts';
import { flowRoutes } from './flows/routes.ts';
import { FlowStore } from './flows/store.ts';
import { permitted } from './http/graph-route.ts';
import { RequestLog } from './http/request-log.ts';
import { mediaControl } from './media/control.ts';
import type { Media } from './media/media.ts';
import { downloadUrl, mediaRoutes } from './media/routes.ts';
import { MediaStore } from './media/store.ts';
import { uploadRoute } from './media/uploads.ts';
import { Billing } from './messages/billing.ts';
import { messageControl } from './messages/control.ts';
import { FlowPhone } from './messages/flow-phone.ts';
import { Inbox, type ReceivedMessage } from './messages/inbox.ts';
import type { SentMessage } from './messages/message.ts';
import { Outbox } from './messages/outbox.ts';
import { Pacing } from './messages/pacing.ts';
import { pacingControl } from './messages/pacing-control.ts';
import { messageRoutes } from './messages/routes.ts';
import { defaultSendingSettings, type SendingSettings } from './messages/settings.ts';
import { StatusScripts } from './messages/status-script.ts';
import { type Template, Templates } from './messages/templates.ts';
import { type Window, Windows } from './messages/windows.ts';
import { populationControl } from './population/control.ts';
import { RequestHandler } from './request-handler.ts';
import { type Calling, CallingSettings } from './settings/calling-settings.ts';
import { settingsRoutes } from './settings/routes.ts';
import { setupControl } from './setup/control.ts';
import { openSetup, setupRoutes } from './setup/setup.ts';

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
  readonly callSettings?: Partial<CallSettings>;
  readonly sendingSettings?: Partial<SendingSettings>;
  /** Which ids webhooks show of people. Defaults to phone numbers. */
  readonly population?: PopulationIds;
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
  const { callbackUrl, webhookRetryMs = defaultWebhookRetryMs, callSettings, watch } = options;
  const { open, closeAll } = recordFiles(dataDir, watch);
  const setup = openSetup({ accounts, accessToken, appSecret, callbackUrl, open, now, watch });
  const { tokens, routing, numbers, faults: setupFaults } = setup;
  const onSent = (webhook: SentWebhook) => watch?.('events', webhook.id, webhook);
  const sender = new WebhookSender({ appSecret: () => tokens.appSecret, now, retryMs: webhookRetryMs, onSent });
  const deliver = (change: Change) => {
    const callback = routing.callbackFor(change);
    if (callback !== undefined) sender.announce(callback, change);
  };
  let sendingSettings: SendingSettings = { ...defaultSendingSettings, ...options.sendingSettings };
  const population = new Population(open<Contact>('contacts'), options.population ?? 'phone_numbers', (ids) =>
    watch?.('population', 'ids', { ids }),
  );
  const windows = new Windows(open<Window>('windows'), now);
  const inbox = new Inbox({
    population,
    records: open<ReceivedMessage>('inbox'),
    onMessage: (message) => windows.contactActed(message, sendingSettings.windows),
    now,
  });
  const note = (change: Change) => {
    inbox.note(change);
    for (const { phone_number_id, contact } of windowOpeners(change)) {
      windows.contactActed({ phone_number_id, contact: population.idOf(contact) }, sendingSettings.windows);
    }
  };
  const conversations = new Conversations({
    population,
    records: open<Conversation>('conversations'),
    announce: deliver,
    now,
  });
  const onEvent = (change: Change) => {
    note(change);
    return conversations.routed(change);
  };
  const announce = (change: Change) => deliver(onEvent(change));

  const flows = new FlowStore(open<Flow>('flows'), (flow, old) => announce(flowStatusChange(flow, old)));
  const endpoints = {
    accounts,
    publicKeys: faultyKeys(open<string>('public-keys'), setupFaults),
    faults: setupFaults,
    askEndpoint: endpointClient(() => tokens.appSecret, sealRequest),
  };
  const media = new MediaStore(open<Media>('media'), now, dataDir && join(dataDir, 'media'));
  const permissionRecords = open<CallPermission>('call-permissions');
  const permissions = new CallPermissionStore({ accounts, population, records: permissionRecords, announce, now });
  let origin = publicUrl;
  const urlOf = (file: Media) => downloadUrl(media, file, origin ?? 'http://localhost');
  const recordings = new Recordings({ media, urlOf, now });
  const settings = { ...defaultCallSettings, ...callSettings };
  const callingSettings = new CallingSettings(accounts, open<Calling>('calling-settings'), setupFaults);
  const switchboard = new Switchboard({
    accounts,
    callingSettings,
    population,
    records: open<Call>('calls'),
    permissions,
    recordings,
    settings,
    announce,
    note,
    now,
  });
  const billing = new Billing({ used: open<number>('free-messages'), windows, settings: () => sendingSettings, now });
  const messages = {
    accounts,
    population,
    outbox: new Outbox({
      accounts,
      population,
      records: open<SentMessage>('messages'),
      settings: () => sendingSettings,
      billing,
      announce,
      now,
    }),
    inbox,
    windows,
    scripts: new StatusScripts(),
    templates: new Templates(open<Template>('templates')),
    settings: () => sendingSettings,
  };
  const pacing = new Pacing();
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
    graph: {
      access: tokens,
      routes: [
        ...setupRoutes(setup, { accounts, callingSettings, sender }),
        ...permitted('whatsapp_business_messaging', [
          ...mediaRoutes(media),
          uploadRoute(accounts, media, now),
          ...callRoutes({ callingSettings, population, switchboard, permissions, numbers, faults: setupFaults, now }),
          ...messageRoutes({
            ...messages,
            ...setup,
            pacing,
            conversations,
            flows,
            media,
            permissions,
            callingSettings,
            now,
          }),
          ...encryptionRoutes(accounts, endpoints.publicKeys, setupFaults),
        ]),
        ...permitted('whatsapp_business_management', [
          ...settingsRoutes({ accounts, callingSettings, appSecret, announce, now }),
          ...flowRoutes({
            accounts,
            store: flows,
            now,
            endpointObstacle: (flow) => endpointObstacle(endpoints, flow),
            faults: setupFaults,
          }),
        ]),
      ],
    },
    control: [
      ...faultControl(faults, log),
      ...setupControl(setupFaults),
      ...eventControl({
        accounts,
        sender,
        media,
        population,
        onEvent,
        callbackFor: (change) => routing.callbackFor(change),
        appCallback: () => routing.appCallback,
        setAppCallback: (url) => setup.app.moveTo(url),
        now,
      }),
      ...flowControl({ ...endpoints, store: flows, now }),
      ...callControl({ accounts, callingSettings, population, switchboard }),
      ...callPermissionControl(accounts, population, permissions, now),
      ...populationControl({ accounts, population, announce, now }),
      ...mediaControl(accounts, media, now),
      ...conversationControl({ accounts, population, conversations, announce, now }),
      ...pacingControl({ accounts, pacing, outbox: messages.outbox, announce, now }),
      ...messageControl({
        ...messages,
        announce,
        now,
        phone: new FlowPhone({
          accounts,
          population,
          flows,
          templates: messages.templates,
          announce,
          now,
          ask: (...request) => askFlow(endpoints, ...request),
        }),
        configure(settings) {
          sendingSettings = settings;
        },
      }),
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
      messages.outbox.close();
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

import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { type BusinessAccount, numbersOf } from '../core/accounts.ts';
import { sampleContact } from '../core/contacts.ts';
import type { Population } from '../core/population.ts';
import { ControlError, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { MediaStore } from '../media/store.ts';
import { envelopeOf } from './envelope.ts';
import { buildEvent, type Change, type EventOrigin, type EventRequest, eventRequestSchema } from './events.ts';
import { withMedia } from './media-message.ts';
import type { SentWebhook, WebhookSender } from './webhook-sender.ts';

export interface EventControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly sender: WebhookSender;
  /** Where an event goes. Undefined if the app does not get it. */
  readonly callbackFor: (event: Change) => string | undefined;
  /** Where the app wants events. */
  readonly appCallback: () => string | undefined;
  /** Sends the app's events to this URL from now on. */
  readonly setAppCallback: (url: string) => void;
  readonly media: MediaStore;
  readonly population: Population;
  /** Learns of each event before it is sent, and says how it is sent. */
  readonly onEvent: (event: Change) => Change;
  readonly now: () => number;
}

const subscriptionSchema = z.strictObject({
  callback_url: z.url({ protocol: /^https?$/ }),
  verify_token: z.string(),
});

const sendSchema = z
  .strictObject({
    events: z.optional(z.array(eventRequestSchema).check(z.minLength(1), z.maxLength(10_000))),
    // Sent unchanged in place of events.
    raw: z.optional(z.unknown()),
    // How many events share one POST.
    batch: z._default(z.int().check(z.gte(1), z.lte(1000)), 1),
    // How often each POST is sent.
    repeat: z._default(z.int().check(z.gte(1), z.lte(1000)), 1),
    // Shuffles the events before they are batched, and then the POSTs.
    shuffle: z._default(z.boolean(), false),
    signature: z._default(z.enum(['valid', 'wrong', 'missing']), 'valid'),
  })
  .check(z.refine(({ events, raw }) => (events === undefined) !== (raw === undefined), 'Give either events or raw'));

type SendRequest = z.infer<typeof sendSchema>;

/** Sends events, and shows the events that were sent. */
export function eventControl(options: EventControlOptions): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/webhook',
      handle: async ({ body }) => jsonResponse(200, await subscribe(options, body)),
    },
    { method: 'POST', path: '/events', handle: async ({ body }) => jsonResponse(200, await sendEvents(options, body)) },
    { method: 'GET', path: '/events', handle: () => jsonResponse(200, { data: options.sender.sent }) },
  ];
}

/** Registers a callback after its handshake. */
async function subscribe({ sender, setAppCallback }: EventControlOptions, body: Uint8Array) {
  const { callback_url, verify_token } = readJson(subscriptionSchema, body);
  const fault = await sender.handshake(callback_url, verify_token);
  if (fault !== undefined) {
    const what = fault.status === null ? fault.answer : `it answered ${fault.status}`;
    throw new ControlError(400, `The callback URL or the verify token could not be validated: ${what}`);
  }
  setAppCallback(callback_url);
  return { callback_url };
}

/** Sends the requested events, one POST after another, and reports the first attempt of each. */
async function sendEvents(options: EventControlOptions, body: Uint8Array): Promise<{ data: SentWebhook[] }> {
  const { sender, appCallback } = options;
  const request = readJson(sendSchema, body);
  const callbackUrl = appCallback();
  if (callbackUrl === undefined) throw new ControlError(409, 'There is no callback yet: POST /simulator/webhook');

  const data: SentWebhook[] = [];
  for (const { url, webhookBody } of postsOf(request, callbackUrl, options)) {
    data.push(await sender.send(url, webhookBody, request.signature));
  }
  return { data };
}

interface Post {
  readonly url: string;
  readonly webhookBody: unknown;
}

/** The POSTs for a request. A raw body goes to the app's callback, and an event to its own. */
function postsOf(request: SendRequest, appCallback: string, options: EventControlOptions): Post[] {
  const { accounts, media, population, onEvent, callbackFor, now } = options;
  const { events, raw, batch, repeat, shuffle } = request;
  const inOrder = <T>(items: T[]) => (shuffle ? shuffled(items) : items);
  const complete = events?.map((event) => withMedia(withPerson(event, population), media)) ?? [];
  const changes = complete.map((event) => onEvent(buildEvent(event, originOf(event, accounts), now())));
  const byCallback = Map.groupBy(changes, callbackFor);
  const posts = [...byCallback].flatMap(([url, some]) =>
    url === undefined
      ? []
      : chunks(inOrder(some), batch).map((batched) => ({ url, webhookBody: envelopeOf(batched, now()) })),
  );
  const once = events === undefined ? [{ url: appCallback, webhookBody: raw }] : posts;
  return inOrder(Array.from({ length: repeat }, () => once).flat());
}

/** The person whom the event concerns, as this population shows people. System messages have no contact. */
function withPerson(event: EventRequest, population: Population): EventRequest {
  if (event.contact === null) return event;
  const contact = population.complete(event.contact ?? { wa_id: sampleContact });
  if (event.contact === undefined && event.type.startsWith('system')) {
    return { from: contact.wa_id ?? null, ...event, contact: null };
  }
  return { ...event, contact };
}

/** An event for a number that no account has is sent, too. Receivers must cope with it. */
function originOf({ phone_number_id }: EventRequest, accounts: readonly BusinessAccount[]): EventOrigin {
  const owned = numbersOf(accounts);
  const [first] = owned;
  if (phone_number_id === undefined && first !== undefined) return first;
  const id = phone_number_id ?? '0';
  const unknown = { wabaId: accounts[0]?.waba_id ?? '0', phoneNumberId: id, displayPhoneNumber: id };
  return owned.find(({ phoneNumberId }) => phoneNumberId === id) ?? unknown;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: randomInt(2 ** 47) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

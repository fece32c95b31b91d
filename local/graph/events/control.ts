import * as z from 'zod/mini';
import { numbersOf } from '../core/accounts.ts';
import { sampleContact } from '../core/contacts.ts';
import type { Change, Platform } from '../core/platform.ts';
import { ControlError, type ControlRoute, get, on } from '../http/control-route.ts';
import type { MediaStore } from '../media/store.ts';
import { envelopeOf } from './envelope.ts';
import { buildEvent, type EventOrigin, type EventRequest, eventRequestSchema } from './events.ts';
import { media, messageSamples } from './message-samples.ts';
import type { SentWebhook, WebhookSender } from './webhook-sender.ts';

export interface EventControlOptions {
  readonly platform: Platform;
  readonly sender: WebhookSender;
  readonly store: MediaStore;
  /** Where an event goes. Undefined if the app does not get it. */
  readonly callbackFor: (event: Change) => string | undefined;
  /** Learns of each event before it is sent, and says how it is sent. */
  readonly onEvent: (event: Change) => Change;
}

const sendSchema = z.strictObject({
  events: z.array(eventRequestSchema).check(z.minLength(1), z.maxLength(10_000)),
  // How many events share one POST.
  batch: z._default(z.int().check(z.gte(1), z.lte(1000)), 1),
});

/** Sends events, and shows the events that were sent. */
export function eventControl(options: EventControlOptions): ControlRoute[] {
  const { platform, sender, store, callbackFor, onEvent } = options;
  const { accounts, population, now } = platform;
  return [on('POST', '/events', sendSchema, send), get('/events', () => ({ data: sender.sent }))];

  /** Sends the requested events, one POST after another, and reports the first attempt of each. */
  async function send({ events, batch }: z.infer<typeof sendSchema>): Promise<{ data: SentWebhook[] }> {
    const changes = events.map((event) => {
      const complete = withMedia(withPerson(event), store);
      return onEvent(buildEvent(complete, originOf(complete), now()));
    });
    const data: SentWebhook[] = [];
    for (const [url, some] of Map.groupBy(changes, callbackFor)) {
      for (let i = 0; url !== undefined && i < some.length; i += batch) {
        data.push(await sender.send(url, envelopeOf(some.slice(i, i + batch), now())));
      }
    }
    return { data };
  }

  /** The person whom the event concerns, as this population shows people. System messages have no contact. */
  function withPerson(event: EventRequest): EventRequest {
    if (event.contact === null) return event;
    const contact = population.complete(event.contact ?? { wa_id: sampleContact });
    if (event.contact === undefined && event.type.startsWith('system')) {
      return { from: contact.wa_id ?? null, ...event, contact: null };
    }
    return { ...event, contact };
  }

  /** An event for a number that no account has is sent, too. Receivers must cope with it. */
  function originOf({ phone_number_id }: EventRequest): EventOrigin {
    const owned = numbersOf(accounts);
    const [first] = owned;
    if (phone_number_id === undefined && first !== undefined) return first;
    const id = phone_number_id ?? '0';
    const unknown = { wabaId: accounts[0]?.waba_id ?? '0', phoneNumberId: id, phoneNumber: id };
    return owned.find(({ phoneNumberId }) => phoneNumberId === id) ?? unknown;
  }
}

const mediaTypes = ['image', 'document', 'video', 'audio', 'voice', 'sticker'] as const;

/** Adds the facts about the file in `media_id` to the event. The event goes to the number of that file. */
function withMedia(event: EventRequest, store: MediaStore): EventRequest {
  const { media_id, ...request } = event;
  if (media_id === undefined) return event;
  const type = mediaTypes.find((one) => one === event.type);
  if (type === undefined) throw new ControlError(400, `media_id is for ${mediaTypes.join(', ')}, not ${event.type}`);
  const { id, mime_type, sha256, phone_number_id } = store.get(media_id);
  const sample: Readonly<Record<string, unknown>> = messageSamples[type];
  const member = String(sample.type);
  const file = media(id, mime_type, Buffer.from(sha256, 'hex').toString('base64'));
  return { phone_number_id, ...request, [member]: { ...Object(sample[member]), ...Object(request[member]), ...file } };
}

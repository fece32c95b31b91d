import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Random } from '../random.ts';
import type { LoadOptions } from './load-options.ts';

/** How the receivers of a number behave. */
export type ReceiverKind = 'healthy' | 'slow' | 'hanging' | 'down';

/** A number of the load, by its position. */
export interface LoadNumber {
  phoneNumberId: string;
  kind: ReceiverKind;
}

export const loadTargets: readonly Target[] = ['webhook', 'secondary_webhook'];

/** The numbers of a load: healthy ones, slow ones, dead ones. */
export function loadNumbers({ numbers, slow, deadNumbers }: LoadOptions): LoadNumber[] {
  const slowNumbers = Math.round(numbers * slow);
  return Array.from({ length: numbers + deadNumbers }, (_, index) => ({
    phoneNumberId: String(10_000_000_000_000 + index),
    kind: kindAt(index, numbers - slowNumbers, numbers),
  }));
}

function kindAt(index: number, slowFrom: number, deadFrom: number): ReceiverKind {
  if (index < slowFrom) return 'healthy';
  if (index < deadFrom) return 'slow';
  return index % 2 === 0 ? 'hanging' : 'down';
}

/** Draws the number of a request: each kind has its part of the events, and its numbers share that evenly. */
export function drawNumber({ numbers, slow, dead, deadNumbers }: LoadOptions, random: Random): number {
  const slowNumbers = Math.round(numbers * slow);
  const part = random.next();
  if (part < dead && deadNumbers > 0) return numbers + random.below(deadNumbers);
  if (part < dead + slow && slowNumbers > 0) return numbers - 1 - random.below(slowNumbers);
  return random.below(numbers - slowNumbers);
}

const person = '16505551234';
const contacts = [{ profile: { name: 'Kerry Fisher' }, wa_id: person }];
const text = 'Good morning! Is the appointment on Thursday at ten still free, and may I bring my sister along?';
const statusNames = ['sent', 'delivered', 'read'];

/** A request of the upstream with events in a row, of which each has its position in its id. */
export function upstreamRequest(
  { phoneNumberId }: LoadNumber,
  events: readonly number[],
  { statuses }: LoadOptions,
  now: number,
) {
  const timestamp = String(Math.floor(now / 1000));
  const changes = events.map((event) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550100001', phone_number_id: phoneNumberId },
      ...eventPart(event, event % (statuses + 1), timestamp),
    },
  }));
  return { object: 'whatsapp_business_account', entry: [{ id: '100000000000001', changes }] };
}

function eventPart(event: number, turn: number, timestamp: string) {
  const id = idOf(event);
  if (turn === 0) return { contacts, messages: [{ from: person, id, timestamp, type: 'text', text: { body: text } }] };
  const status = statusNames[(turn - 1) % statusNames.length];
  return { statuses: [{ id, status, timestamp, recipient_id: person }] };
}

/** Ids of messages have about sixty characters. */
const idOf = (event: number) => `wamid.HBgLMTY1MDU1NTEyMzQVAgASGBQzQTdCNUJDRjZGMEE5${event}=`;

const eventId = /wamid\.HBgLMTY1MDU1NTEyMzQVAgASGBQzQTdCNUJDRjZGMEE5(\d+)=/;

/** The position of the event that a notification or a queue message is about. */
export function eventIn(notification: string): number {
  const [, event] = eventId.exec(notification) ?? [];
  if (event === undefined) throw new Error(`No event of the load: ${notification}`);
  return Number(event);
}

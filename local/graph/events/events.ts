import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type ContactMember, participantIds, recipientIds, sampleContact, senderIds } from '../core/contacts.ts';
import type { Change } from '../core/platform.ts';
import type { Flow } from '../flows/flows.ts';
import { type FieldSample, fieldSamples, type SampleContext } from './field-samples.ts';
import { besideMessages, messageSamples } from './message-samples.ts';
import {
  callSamples,
  callStatusSamples,
  errorSamples,
  flowSamples,
  participantRoles,
  statusSamples,
} from './samples.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Any field with any value, such as those that the upstream has not invented yet. */
const anyField = { field: {} } as const;

/** The samples of events that the upstream has today, by what they are. */
export const samplesByKind = {
  message: messageSamples,
  status: statusSamples,
  error: errorSamples,
  call: { ...callSamples, ...callStatusSamples },
  flow: flowSamples,
  field: fieldSamples,
} as const;

/** A sample of every event, by its type. */
const samplesByType = {
  ...messageSamples,
  ...statusSamples,
  ...errorSamples,
  ...callSamples,
  ...callStatusSamples,
  ...flowSamples,
  ...fieldSamples,
  ...anyField,
} as const;

export type EventType = keyof typeof samplesByType;

export const eventTypes = Object.keys(samplesByType) as EventType[];

/** The fields without a sample. Their events are passed on unchanged, as those of an unknown field are. */
const otherFields = [
  'account_alerts',
  'account_review_update',
  'automatic_events',
  'business_capability_update',
  'business_status_update',
  'business_username_updates',
  'message_template_components_update',
  'message_template_quality_update',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'security',
  'template_correct_category_detection',
  'tracking_events',
];

/** The fields of webhooks that an app can subscribe to. */
export const knownFields: ReadonlySet<string> = new Set([
  'messages',
  'calls',
  'flows',
  ...Object.values(fieldSamples).map(({ field }) => field),
  ...otherFields,
]);

const contactSchema = z.looseObject({
  profile: z.optional(z.looseObject({ name: z.optional(z.string()), username: z.optional(z.string()) })),
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  parent_user_id: z.optional(z.string()),
});

const anyFieldSchema = z.object({ field: z.string(), value: z.record(z.string(), z.unknown()) });

/**
 * A request for an event. Other members replace those of the sample (the message, the status, the error, the call, or
 * the value of another field). `null` removes a member.
 */
export const eventRequestSchema = z
  .looseObject({
    type: z.enum(eventTypes),
    phone_number_id: z.optional(z.string()),
    // The user. A user with a `user_id` and no `wa_id` is known by username only. With null, there is no contact.
    contact: z.optional(z.nullable(contactSchema)),
    // A file in the simulator, for the types that have one.
    media_id: z.optional(z.string()),
  })
  .check(
    z.refine(
      ({ type, ...members }) => type !== 'field' || z.safeParse(anyFieldSchema, members).success,
      'An event of the type field needs a field and a value',
    ),
  );

export type EventRequest = z.infer<typeof eventRequestSchema>;

/** The business that the event belongs to. */
export interface EventOrigin {
  readonly wabaId: string;
  readonly phoneNumberId: string;
  readonly phoneNumber: string;
}

const defaultContact: ContactMember = { profile: { name: 'Sample Customer' }, wa_id: sampleContact };

/** What an event is made of. */
interface Parts extends SampleContext {
  readonly type: string;
  readonly sample: JsonObject;
  readonly overrides: JsonObject;
  /** The `contacts` of the event: one, or none. */
  readonly contacts: { readonly contacts?: readonly ContactMember[] };
}

/** The types of one kind, and how their events are built. */
interface Kind {
  readonly samples: Readonly<Record<string, unknown>>;
  readonly build: (parts: Parts) => { readonly field: string; readonly value: JsonObject; readonly entryId?: string };
}

const kinds: readonly Kind[] = [
  { samples: messageSamples, build: message },
  { samples: statusSamples, build: status },
  { samples: errorSamples, build: (parts) => ofNumber(parts, 'messages', { errors: [merged(parts)] }) },
  { samples: callSamples, build: call },
  { samples: callStatusSamples, build: callStatus },
  { samples: flowSamples, build: (parts) => ({ field: 'flows', value: merged(parts) }) },
  { samples: fieldSamples, build: ofField },
  { samples: anyField, build: ({ overrides }) => z.parse(anyFieldSchema, overrides) },
];

/** Creates one event with new ids. */
export function buildEvent(request: EventRequest, origin: EventOrigin, now: number): Change {
  const { type, phone_number_id: _, media_id: __, contact: named, ...overrides } = request;
  const contact = named ?? defaultContact;
  const kind = kinds.find(({ samples }) => Object.hasOwn(samples, type));
  if (kind === undefined) throw new Error(`There is no sample of ${type}`);
  const built = kind.build({
    ...origin,
    type,
    sample: { ...samplesByType[type] },
    overrides,
    contact,
    contacts: named === null ? {} : { contacts: [contact] },
    timestamp: seconds(now),
    newId: () => newId('wamid'),
  });
  return { entryId: origin.wabaId, ...built };
}

function message(parts: Parts) {
  const { type, contact, contacts, timestamp } = parts;
  // A voicemail has the id of its call.
  const id = type === 'voicemail' ? newId('wacid') : parts.newId();
  const common = { ...senderIds(contact), id, timestamp };
  return ofNumber(parts, 'messages', { ...contacts, messages: [merged(parts, common)], ...besideMessages[type] });
}

function status(parts: Parts) {
  const { type, contact, contacts, timestamp } = parts;
  const shown: Readonly<Record<string, Parts['contacts']>> = {
    failed: {},
    ...(contacts.contacts !== undefined && { sent: { contacts: contacts.contacts.map(withoutUsername) } }),
  };
  const role = participantRoles[type];
  const ids = role ? participantIds(contact, role) : recipientIds(contact);
  const common = { id: parts.newId(), status: type, timestamp, ...ids };
  return ofNumber(parts, 'messages', { ...(shown[type] ?? contacts), statuses: [merged(parts, common)] });
}

function call(parts: Parts) {
  const { contact, contacts, phoneNumber, timestamp } = parts;
  const common = { id: newId('wacid'), ...senderIds(contact), to: phoneNumber, timestamp };
  return ofNumber(parts, 'calls', { ...contacts, calls: [merged(parts, common)] });
}

function callStatus(parts: Parts) {
  const { contact, timestamp } = parts;
  const common = { id: newId('wacid'), timestamp, type: 'call', ...recipientIds(contact) };
  return ofNumber(parts, 'calls', { statuses: [merged(parts, common)] });
}

function ofField(parts: Parts) {
  const { value, ...sample }: FieldSample = fieldSamples[parts.type as keyof typeof fieldSamples];
  return { ...sample, value: merged({ sample: value(parts), overrides: parts.overrides }) };
}

function ofNumber({ phoneNumberId, phoneNumber }: Parts, field: 'messages' | 'calls', members: JsonObject) {
  const metadata = { display_phone_number: phoneNumber, phone_number_id: phoneNumberId };
  return { field, value: { messaging_product: 'whatsapp', metadata, ...members } };
}

/** The upstream's event when the status of a Flow changes. A new Flow has no old status. */
export function flowStatusChange(flow: Flow, oldStatus: string | undefined): Change {
  const { waba_id: entryId, id: flow_id, name, status: new_status } = flow;
  const text =
    oldStatus === undefined
      ? `Flow ${name} was created with status ${new_status}`
      : `Flow ${name} changed status from ${oldStatus} to ${new_status}`;
  const overrides = { message: text, flow_id, old_status: oldStatus ?? null, new_status };
  return { entryId, field: 'flows', value: merged({ sample: flowSamples.flow_status_change, overrides }) };
}

/** The upstream tells a username only from when the message was delivered. */
function withoutUsername({ profile: { username: _, ...profile } = {}, ...contact }: ContactMember): ContactMember {
  return { profile, ...contact };
}

/** The sample after the common members, with what the request replaces or removes. */
function merged({ sample, overrides }: Pick<Parts, 'sample' | 'overrides'>, common: JsonObject = {}): JsonObject {
  const members = Object.entries({ ...common, ...sample, ...overrides });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

/** A new id of a message or of a call. */
export function newId(kind: 'wamid' | 'wacid'): string {
  return `${kind}.${randomBytes(36).toString('base64')}`;
}

/** Seconds since the epoch, as webhooks have them. */
export function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

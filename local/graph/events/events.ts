import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type ContactMember, recipientIds, sampleContact, senderIds } from '../core/contacts.ts';
import type { Flow } from '../flows/flows.ts';
import { callSamples, callStatusSamples, errorSamples, flowSamples, messageSamples, statusSamples } from './samples.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const samplesByType = {
  ...messageSamples,
  ...statusSamples,
  ...errorSamples,
  ...callSamples,
  ...callStatusSamples,
  ...flowSamples,
} as const;

export type EventType = keyof typeof samplesByType;

export const eventTypes = Object.keys(samplesByType) as EventType[];

const contactSchema = z.looseObject({
  profile: z.optional(z.looseObject({ name: z.optional(z.string()), username: z.optional(z.string()) })),
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  parent_user_id: z.optional(z.string()),
});

/**
 * A request for an event. Other members replace those of the sample (the message, the status, the error, the call, or
 * the value of a Flow's event). `null` removes a member.
 */
export const eventRequestSchema = z.looseObject({
  type: z.enum(eventTypes),
  phone_number_id: z.optional(z.string()),
  // The user. A user with a `user_id` and no `wa_id` is known by username only. With null, there is no contact.
  contact: z.optional(z.nullable(contactSchema)),
  // A file in the simulator, for the types that have one.
  media_id: z.optional(z.string()),
});

export type EventRequest = z.infer<typeof eventRequestSchema>;

/** The business that the event belongs to. */
export interface EventOrigin {
  readonly wabaId: string;
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
}

/** An element of `entry[].changes[]` in a webhook body, with the account of the entry. */
export interface Change {
  readonly wabaId: string;
  readonly field: 'messages' | 'calls' | 'flows';
  readonly value: JsonObject;
}

const defaultContact: ContactMember = { profile: { name: 'Sample Customer' }, wa_id: sampleContact };

/** Creates one event with new ids. */
export function buildEvent(request: EventRequest, origin: EventOrigin, now: number): Change {
  const { wabaId, phoneNumberId, displayPhoneNumber } = origin;
  const { type, phone_number_id: _, media_id: __, contact, ...overrides } = request;
  const user = contact ?? defaultContact;
  const timestamp = String(Math.floor(now / 1000));
  const metadata = { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId };

  const changeOf = (field: 'messages' | 'calls', members: JsonObject): Change => ({
    wabaId,
    field,
    value: { messaging_product: 'whatsapp', metadata, ...members },
  });
  const withContact = contact === null ? {} : { contacts: [user] };

  if (isIn(messageSamples, type)) {
    const message = { ...senderIds(user), id: newId('wamid'), timestamp, ...messageSamples[type] };
    // The upstream names nobody in system messages.
    const contacts = type === 'system' && contact === undefined ? {} : withContact;
    return changeOf('messages', { ...contacts, messages: [merged(message, overrides)] });
  }
  if (isIn(statusSamples, type)) {
    const status = { id: newId('wamid'), status: type, timestamp, ...recipientIds(user), ...statusSamples[type] };
    const shown = type === 'sent' && contact !== null ? { contacts: [withoutUsername(user)] } : withContact;
    return changeOf('messages', { ...(type === 'failed' ? {} : shown), statuses: [merged(status, overrides)] });
  }
  if (isIn(callSamples, type)) {
    const caller = { id: newId('wacid'), ...senderIds(user), to: displayPhoneNumber, timestamp };
    return changeOf('calls', { ...withContact, calls: [merged({ ...caller, ...callSamples[type] }, overrides)] });
  }
  if (isIn(callStatusSamples, type)) {
    const status = { id: newId('wacid'), timestamp, type: 'call', ...callStatusSamples[type], ...recipientIds(user) };
    return changeOf('calls', { statuses: [merged(status, overrides)] });
  }
  if (isIn(flowSamples, type)) return { wabaId, field: 'flows', value: merged(flowSamples[type], overrides) };
  return changeOf('messages', { errors: [merged(errorSamples[type], overrides)] });
}

/** The upstream's event when the status of a Flow changes. A new Flow has no old status. */
export function flowStatusChange(flow: Flow, oldStatus: string | undefined): Change {
  const { waba_id: wabaId, id: flow_id, name, status: new_status } = flow;
  const message =
    oldStatus === undefined
      ? `Flow ${name} was created with status ${new_status}`
      : `Flow ${name} changed status from ${oldStatus} to ${new_status}`;
  const old_status = oldStatus ?? null;
  return {
    wabaId,
    field: 'flows',
    value: merged(flowSamples.flow_status_change, { message, flow_id, old_status, new_status }),
  };
}

/** The upstream tells a username only from when the message was delivered. */
function withoutUsername({ profile: { username: _, ...profile } = {}, ...contact }: ContactMember): ContactMember {
  return { profile, ...contact };
}

function merged(sample: JsonObject, overrides: JsonObject): JsonObject {
  const members = Object.entries({ ...sample, ...overrides });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

function newId(kind: 'wamid' | 'wacid'): string {
  return `${kind}.${randomBytes(36).toString('base64')}`;
}

function isIn<T extends object>(samples: T, type: EventType): type is EventType & keyof T {
  return Object.hasOwn(samples, type);
}

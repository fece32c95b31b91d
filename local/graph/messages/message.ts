import type { BusinessNumber } from '../core/accounts.ts';
import { type ContactMember, type ParticipantSpelling, participantIds } from '../core/contacts.ts';
import type { Change, Chat } from '../core/platform.ts';
import { buildEvent, type EventRequest } from '../events/events.ts';
import { webhookError } from '../http/graph-errors.ts';
import type { MessageType } from './bodies/message-schemas.ts';
import type { StatusStep } from './settings.ts';

/** What Graph writes into `pricing.category`. */
export type BilledCategory = 'utility' | 'authentication' | 'marketing' | 'marketing_lite';

/** What statuses say about the price of a message. */
export interface Bill {
  readonly pricing: {
    readonly billable: boolean;
    readonly pricing_model: 'PMP';
    readonly type: 'regular' | 'free_customer_service' | 'free_group_customer_service' | 'free_entry_point';
    readonly category: string;
  };
  /** Since v24, only conversations from a free entry point are named. */
  readonly conversation: { readonly id: string; readonly expiration_timestamp: string; readonly origin: object } | null;
}

/** A message that the platform has accepted, to a person or a group. Times are milliseconds since the epoch. */
export interface SentMessage extends Chat {
  readonly id: string;
  readonly recipient_type: 'individual' | 'group';
  readonly type: MessageType;
  /** The member of the message with the name of its type. */
  readonly content: unknown;
  readonly context: unknown;
  readonly biz_opaque_callback_data: string | null;
  /** What it is billed as, if neither its type nor the window says so. */
  readonly category: BilledCategory | null;
  readonly sent_at: number;
  /** Null until a status has told the price. */
  readonly bill: Bill | null;
  readonly statuses: readonly { readonly status: StatusStep['status']; readonly code?: number; readonly at: number }[];
}

const defaultFailureCode = 131026;

/** The message with one more status. */
export function withStatus(message: SentMessage, { status, code = defaultFailureCode }: StatusStep, now: number) {
  const entry = { status, ...(status === 'failed' && { code }), at: now };
  return { ...message, statuses: [...message.statuses, entry] };
}

/** Whether statuses of this name tell the price. */
export function hasPrice({ status }: StatusStep): boolean {
  return status === 'sent' || status === 'delivered';
}

/** Whom the statuses of a message concern: one person, or those in a group. */
export type Recipients =
  | { readonly person: ContactMember }
  | { readonly participants: readonly ContactMember[]; readonly spelling: ParticipantSpelling };

/**
 * The webhook of a status. For a group, one webhook has the statuses of all whose phones got or showed the message
 * (Meta's page "Groups: webhooks").
 */
export function statusEvent(
  message: SentMessage,
  step: StatusStep,
  { number, recipients }: { readonly number: BusinessNumber; readonly recipients: Recipients },
  now: number,
): Change {
  const build = (members: object) => buildEvent({ ...statusRequest(message, step), ...members }, number, now);
  if ('person' in recipients) return build({ contact: recipients.person });
  const { participants, spelling } = recipients;
  const group = { contact: null, recipient_id: message.contact, recipient_type: 'group' };
  const whole = build(group);
  if (step.status === 'sent' || step.status === 'failed') return whole;
  const statuses = participants.flatMap(
    (participant) => build({ ...group, ...participantIds(participant, spelling) }).value.statuses,
  );
  return { ...whole, value: { ...whole.value, statuses } };
}

function statusRequest(message: SentMessage, step: StatusStep): EventRequest {
  const { id, biz_opaque_callback_data, bill } = message;
  return {
    type: step.status,
    id,
    ...(biz_opaque_callback_data !== null && { biz_opaque_callback_data }),
    ...(hasPrice(step) && bill),
    ...(step.status === 'failed' && { errors: [webhookError(step.code ?? defaultFailureCode)] }),
  };
}

import type { BusinessNumber } from '../core/accounts.ts';
import type { ContactId, ContactMember } from '../core/contacts.ts';
import { webhookError } from '../core/sending-errors.ts';
import { buildEvent, type Change } from '../events/events.ts';
import type { MessageType } from './bodies/message-schemas.ts';
import type { StatusStep } from './status-script.ts';

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

/** A message that the platform has accepted. Times are milliseconds since the epoch. */
export interface SentMessage {
  readonly id: string;
  readonly phone_number_id: string;
  /** A phone number, a user id, or the id of a group. */
  readonly contact: ContactId;
  readonly recipient_type: 'individual' | 'group';
  readonly type: MessageType;
  /** The member of the message with the name of its type. */
  readonly content: unknown;
  readonly context: unknown;
  readonly biz_opaque_callback_data: string | null;
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

/** The webhook of a status. */
export function statusEvent(
  message: SentMessage,
  step: StatusStep,
  { number, person }: { readonly number: BusinessNumber; readonly person: ContactMember },
  now: number,
): Change {
  const { id, contact, recipient_type, biz_opaque_callback_data, bill } = message;
  const isGroup = recipient_type === 'group';
  const request = {
    type: step.status,
    id,
    contact: isGroup ? null : person,
    ...(isGroup && { recipient_id: contact, recipient_type }),
    ...(biz_opaque_callback_data !== null && { biz_opaque_callback_data }),
    ...(hasPrice(step) && bill),
    ...(step.status === 'failed' && { errors: [webhookError(step.code ?? defaultFailureCode)] }),
  };
  return buildEvent(request, number, now);
}

import { randomBytes } from 'node:crypto';
import type { BusinessNumber } from '../core/accounts.ts';
import type { ContactId, ContactMember } from '../core/contacts.ts';
import { webhookError } from '../core/sending-errors.ts';
import { buildEvent, type Change } from '../events/events.ts';
import type { MessageType } from './bodies/message-schemas.ts';
import type { BilledCategory } from './category.ts';
import type { StatusStep } from './status-script.ts';

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
  /** What it is billed as, if neither its type nor the window says so. */
  readonly category: BilledCategory | null;
  readonly sent_at: number;
  readonly statuses: readonly { readonly status: StatusStep['status']; readonly code?: number; readonly at: number }[];
}

export function newMessageId(): string {
  return `wamid.${randomBytes(36).toString('base64')}`;
}

const defaultFailureCode = 131026;

/** The message with one more status. */
export function withStatus(message: SentMessage, { status, code = defaultFailureCode }: StatusStep, now: number) {
  const entry = { status, ...(status === 'failed' && { code }), at: now };
  return { ...message, statuses: [...message.statuses, entry] };
}

/** The webhook of a status. Since v24 it names a conversation only for free entry points, so it has none here. */
export function statusEvent(
  message: SentMessage,
  step: StatusStep,
  { number, person }: { readonly number: BusinessNumber; readonly person: ContactMember },
  now: number,
): Change {
  const { id, contact, recipient_type, biz_opaque_callback_data } = message;
  const isGroup = recipient_type === 'group';
  const request = {
    type: step.status,
    id,
    conversation: null,
    contact: isGroup ? null : person,
    ...(isGroup && { recipient_id: contact, recipient_type }),
    ...(biz_opaque_callback_data !== null && { biz_opaque_callback_data }),
    ...(['sent', 'delivered'].includes(step.status) && { pricing: pricingOf(message) }),
    ...(step.status === 'failed' && { errors: [webhookError(step.code ?? defaultFailureCode)] }),
  };
  return buildEvent(request, number, now);
}

function pricingOf({ type, category }: SentMessage) {
  const model = { pricing_model: 'PMP' };
  if (category) return { billable: true, ...model, type: 'regular', category };
  if (type === 'template') return { billable: true, ...model, type: 'regular', category: 'utility' };
  return { billable: false, ...model, type: 'free_customer_service', category: 'service' };
}

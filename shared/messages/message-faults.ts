import type { ErrorValues, FieldError, FieldRule } from '#shared/base/field-error.ts';
import { isVisibleAscii, longestVisibleAscii } from '#shared/base/text.ts';
import { isUserId, phoneNumberFault } from './recipient.ts';

type Body = Readonly<Record<string, unknown>>;

/** Whether a request marks a received message as read. Any other request sends a message. */
export function isReadReceipt(body: Body): boolean {
  return body.status !== undefined;
}

/** Finds what is wrong with members that depend on each other. The schemas check each single member. */
export function messageFaults(body: Body): FieldError[] {
  return isReadReceipt(body) ? receiptFaults(body) : recipientFaults(body);
}

/**
 * A receipt has no recipient. If the body also had a message, that would be lost, because the upstream reads only the
 * receipt.
 */
function receiptFaults(body: Body): FieldError[] {
  const excluded = ['to', 'recipient', 'type'].filter((name) => body[name] !== undefined);
  return excluded.map((name) => fault(name, 'not_with', { other: 'status' }));
}

/** Finds what is wrong with the recipient. */
export function recipientFaults({ to, recipient, recipient_type }: Body): FieldError[] {
  if (to === undefined && recipient === undefined) return [fault('to', 'required_without', { other: 'recipient' })];
  return typeof to === 'string' ? toFaults(to, recipient_type === 'group') : [];
}

/** The upstream accepts a message with a user id in `to` and then drops it. */
function toFaults(to: string, isGroup: boolean): FieldError[] {
  if (isUserId(to)) return [fault('to', 'user_id_in_other', { other: 'recipient' })];
  if (isGroup) return isVisibleAscii(to) ? [] : [fault('to', 'group_id', { max: longestVisibleAscii })];
  const found = phoneNumberFault(to);
  return found ? [{ field: 'to', ...found }] : [];
}

const fault = (field: string, rule: FieldRule, values: ErrorValues = {}): FieldError => ({ field, rule, values });

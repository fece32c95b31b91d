import type { ErrorValues, FieldError, FieldRule } from '../errors/field-error.ts';
import { isUserId } from './user-id.ts';

type Body = Readonly<Record<string, unknown>>;

/** Whether a request marks a received message as read. Any other request sends a message. */
export function isReadReceipt(body: Body): boolean {
  return body.status !== undefined;
}

/** Finds what is wrong with the members that only make sense together. Values of a wrong type are found elsewhere. */
export function messageFaults(body: Body): FieldError[] {
  return isReadReceipt(body) ? receiptFaults(body) : [...recipientFaults(body), ...typeFaults(body)];
}

/** A receipt has no recipient. One that also had a message would lose it, because the upstream reads only the receipt. */
function receiptFaults(body: Body): FieldError[] {
  const excluded = ['to', 'recipient', 'type'].filter((name) => body[name] !== undefined);
  return [
    ...excluded.map((name) => fault(name, 'not_with', { other: 'status' })),
    ...(body.message_id === undefined || body.message_id === '' ? [fault('message_id', 'required')] : []),
  ];
}

function typeFaults({ type, flow }: Body): FieldError[] {
  if (type === undefined || type === '') return [fault('type', 'required')];
  return type === 'flow' && flow === undefined ? [fault('flow', 'required')] : [];
}

function recipientFaults({ to, recipient, recipient_type }: Body): FieldError[] {
  if (to === undefined && recipient === undefined) return [fault('to', 'required_without', { other: 'recipient' })];
  return typeof to === 'string' ? toFaults(to, recipient_type === 'group') : [];
}

/** The upstream accepts a message with a user id in `to` and then drops it. */
function toFaults(to: string, isGroup: boolean): FieldError[] {
  if (isUserId(to)) return [fault('to', 'user_id_in_other', { other: 'recipient' })];
  if (isGroup) return to.trim() === '' ? [fault('to', 'required')] : [];
  return /^\d+$/.test(to) ? [] : [fault('to', 'digits')];
}

const fault = (field: string, rule: FieldRule, values: ErrorValues = {}): FieldError => ({ field, rule, values });

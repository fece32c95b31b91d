import * as z from 'zod/mini';
import type { ErrorValues, FieldError, FieldRule } from '#shared/base/field-error.ts';
import { isVisibleAscii, longestVisibleAscii } from '#shared/base/text.ts';
import { textUpTo } from '#shared/http/members.ts';

/** Bare digits may be a national number with prefixes, so they may be more than a full number has. */
const maxBareDigits = 20;

/** The shortest numbers with a calling code, such as those of Niue, and the longest by E.164. */
const fullNumber = { min: 7, max: 15 };

const isBare = (text: string) => /^\d+$/.test(text);

const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * A phone number as it reaches the platform: `+` and digits. Bare digits stay as they are, because for the platform
 * they mean something else than with a plus. So does a text that is not a phone number.
 */
export function normalPhoneNumber(text: string): string {
  return isBare(text) || phoneNumberFault(text) !== undefined ? text : `+${digitsOf(text)}`;
}

/** A recipient in the form in which notifications name a contact: a phone number without the plus. */
export const asContact = (recipient: string): string => recipient.replace(/^\+(?=\d+$)/, '');

/** What is wrong with a phone number, if anything is. */
export function phoneNumberFault(text: string): { rule: FieldRule; values: ErrorValues } | undefined {
  if (text === '') return { rule: 'required', values: {} };
  const foreign = /[^\d+() -]/u.exec(text);
  if (foreign) return { rule: 'phone_number_character', values: place(text, foreign) };
  if (!/^[^\d+]*\+?[^+]*$/.test(text)) return { rule: 'phone_number_plus', values: {} };
  if (!/^(\(\))*$/.test(text.replace(/[^()]/g, ''))) return { rule: 'phone_number_parentheses', values: {} };
  const digits = digitsOf(text);
  if (isBare(text) ? digits.length <= maxBareDigits : isFullLength(digits)) return zeroFault(text);
  return { rule: 'phone_number', values: fullNumber };
}

const isFullLength = ({ length }: string) => length >= fullNumber.min && length <= fullNumber.max;

/** No calling code begins with a zero, and one in parentheses is dialled only within the country. */
function zeroFault(text: string) {
  const hasZero = !isBare(text) && (digitsOf(text).startsWith('0') || /\( *0 *\)/.test(text));
  return hasZero ? { rule: 'phone_number_zero' as const, values: {} } : undefined;
}

/** A character by its code, and by itself if it can be seen. */
function place(text: string, { 0: character, index }: RegExpExecArray): ErrorValues {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
  return { character: isVisible ? `${character} (${code})` : code, position: [...text.slice(0, index)].length + 1 };
}

/**
 * The id that the platform gives a person for one business, `BR.13491208655302741918`, or for several businesses that
 * belong together: a parent user id, with `ENT.`.
 */
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export function isUserId(text: string): boolean {
  return userId.test(text);
}

type Body = Readonly<Record<string, unknown>>;

/** Returns whether a request marks a received message as read. Any other request sends a message. */
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

/** A contact's id on the platform. */
export const contactId = z.string().check(z.refine((text) => /^\d+$/.test(text), { params: { rule: 'digits' } }));
z.globalRegistry.add(contactId, { pattern: '^\\d+$', examples: ['551140000001'] });

/** The user id of a contact whose phone number is unknown. */
export const contactUserId = z.string().check(z.refine(isUserId, { params: { rule: 'user_id' } }));
z.globalRegistry.add(contactUserId, {
  pattern: '^[A-Z]{2}\\.(ENT\\.)?[0-9A-Za-z]{1,128}$',
  examples: ['BR.13491208655302741918'],
});

/** Data of the client that returns in the events of a call and in the statuses of a message. */
export const callbackData = textUpTo(512);

/**
 * A WhatsApp user as one text: the digits of the phone number, or the business-scoped user id (`BR.1349…`) of a user
 * who is known by username only.
 */
export type ContactId = string;

/** The default user. */
export const sampleContact: ContactId = '16505551234';

const userIdPattern = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export function isUserId(contact: ContactId): boolean {
  return userIdPattern.test(contact);
}

/** The digits of a phone number. Undefined if the text is not a phone number. */
export function phoneDigits(text: string): ContactId | undefined {
  const digits = text.replace(/[\s()+.-]/g, '');
  return /^\d{5,20}$/.test(digits) ? digits : undefined;
}

/** The user in the form of the `contacts` of webhooks. */
export function contactMember(contact: ContactId) {
  return { profile: { name: 'Sample Customer' }, ...(isUserId(contact) ? { user_id: contact } : { wa_id: contact }) };
}

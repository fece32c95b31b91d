/**
 * A user of WhatsApp as one text: the digits of the phone number, or the business-scoped user id (`BR.1349…`) of someone
 * who is known by username only.
 */
export type ContactId = string;

/** Who it is where nobody is named. */
export const sampleContact: ContactId = '16505551234';

const userIdPattern = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export function isUserId(contact: ContactId): boolean {
  return userIdPattern.test(contact);
}

/** The phone number with nothing but digits; undefined when it is none. */
export function phoneDigits(text: string): ContactId | undefined {
  const digits = text.replace(/[\s()+.-]/g, '');
  return /^\d{5,20}$/.test(digits) ? digits : undefined;
}

/** As webhooks name the user in `contacts`. */
export function contactMember(contact: ContactId) {
  return { profile: { name: 'Sample Customer' }, ...(isUserId(contact) ? { user_id: contact } : { wa_id: contact }) };
}

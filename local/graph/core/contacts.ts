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

/** A user in the form of the `contacts` of webhooks. Tests may add members. */
export interface ContactMember {
  readonly [member: string]: unknown;
  readonly profile?: { readonly name?: string | undefined; readonly username?: string | undefined } | undefined;
  readonly wa_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly parent_user_id?: string | undefined;
}

/** The ids of a user who sent something, in the form of webhooks. */
export function senderIds({ wa_id, user_id, parent_user_id }: ContactMember) {
  return { from: wa_id, from_user_id: user_id, from_parent_user_id: parent_user_id };
}

/** The ids of a user who got a message or a call. */
export function recipientIds({ wa_id, user_id, parent_user_id }: ContactMember) {
  return { recipient_id: wa_id, recipient_user_id: user_id, recipient_parent_user_id: parent_user_id };
}

/**
 * How a status names the participant of a group who got a message. Meta's page "Groups: webhooks" writes the two words in
 * both orders.
 */
export const participantSpellings = ['recipient_participant', 'participant_recipient'] as const;

export type ParticipantSpelling = (typeof participantSpellings)[number];

/** The ids of a participant of a group who got a message. */
export function participantIds({ wa_id, user_id, parent_user_id }: ContactMember, name: ParticipantSpelling) {
  return { [`${name}_id`]: wa_id, [`${name}_user_id`]: user_id, [`${name}_parent_user_id`]: parent_user_id };
}

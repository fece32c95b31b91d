import * as z from 'zod/mini';
import { textUpTo } from '#shared/http/members.ts';
import { isUserId } from './recipient.ts';

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

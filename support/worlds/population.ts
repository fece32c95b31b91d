import { canary } from '../canary.ts';

/**
 * Whose messages the tests of deliveries send. `npm run test:usernames` chooses people with a username, of whom the
 * platform shows no phone number.
 */
const people = {
  phone_numbers: {
    contact: { profile: { name: `${canary} Kerry` }, wa_id: '16505551234' },
    sender: { from: '16505551234' },
    recipient: { recipient_id: '16505551234' },
  },
  user_ids: {
    contact: { profile: { name: `${canary} Kerry`, username: 'kerry' }, user_id: 'US.13491208655302741918' },
    sender: { from_user_id: 'US.13491208655302741918' },
    recipient: { recipient_user_id: 'US.13491208655302741918' },
  },
} as const;

export const population = process.env.POPULATION === 'user_ids' ? 'user_ids' : 'phone_numbers';

/** `contact` is the person as the upstream shows it; the others name it in messages and calls, and in statuses. */
export const { contact, sender, recipient } = people[population];

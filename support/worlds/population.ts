import { canary } from '../canary.ts';

/**
 * The contacts whose messages the tests of deliveries send. `npm run test:usernames` chooses contacts with a username,
 * whose phone numbers the platform hides.
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

/**
 * `contact` is the person as the upstream shows them. The other members name the person in messages and calls, and in
 * statuses.
 */
export const { contact, sender, recipient } = people[population];

import { newId } from '#shared/base/ids.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';

/** An active number that may make calls, with ids of its own. */
export const phoneNumber = (members: Partial<PhoneNumber> = {}): PhoneNumber => ({
  id: newId(),
  workspace: newId(),
  phone_number_id: newId(),
  display_phone_number: '+1 555 0100',
  active: true,
  calling_enabled: true,
  created_at: 0,
  ...members,
});

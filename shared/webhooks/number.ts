import type { Subscriber } from './subscriber.ts';

/** A business phone number of a workspace. */
export interface PhoneNumber extends Subscriber {
  /** The upstream's id of the number. */
  phone_number_id: string;
  display_phone_number: string;
  calling_enabled: boolean;
  /** Epoch milliseconds. */
  created_at: number;
}

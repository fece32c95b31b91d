/** The targets of a number's notifications: calls go to `calls_webhook`, everything else to the other two. */
export const targets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type Target = (typeof targets)[number];

/**
 * A business phone number of a workspace, with the URLs of its targets; a target without one gets nothing. When a target
 * last lost its URL is kept in epoch milliseconds.
 */
export interface PhoneNumber extends Partial<Record<Target, string>>, Partial<Record<`${Target}_removed_at`, number>> {
  id: string;
  workspace: string;
  /** The upstream's id of the number. */
  phone_number_id: string;
  display_phone_number: string;
  active: boolean;
  calling_enabled: boolean;
  /** Grows with every change of what decides its deliveries; absent before the first. */
  settings_version?: number;
  /** Epoch milliseconds. */
  created_at: number;
}

/** The signing secrets of a number: notifications carry a signature of each that is valid. */
export interface SigningSecrets {
  current: string;
  previous?: string;
  /** Epoch milliseconds. */
  previous_valid_until?: number;
}

/** The secrets that sign now, the newest first. */
export function validSecrets({ current, previous, previous_valid_until = 0 }: SigningSecrets, now: number): string[] {
  return previous !== undefined && previous_valid_until > now ? [current, previous] : [current];
}

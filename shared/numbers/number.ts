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
  /** Those before it, newest first; some may have ended. */
  replaced?: readonly ReplacedSecret[];
}

export interface ReplacedSecret {
  secret: string;
  /** Until when it signs along, in epoch milliseconds. */
  valid_until: number;
}

/** Those before the current secret that sign along now, newest first. */
export function stillValid({ replaced = [] }: SigningSecrets, now: number): ReplacedSecret[] {
  return replaced.filter(({ valid_until }) => valid_until > now);
}

/** The secrets that sign now, newest first. */
export function validSecrets(secrets: SigningSecrets, now: number): string[] {
  return [secrets.current, ...stillValid(secrets, now).map(({ secret }) => secret)];
}

/** The targets of a number's notifications: calls go to `calls_webhook`, everything else to the other two. */
export const targets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type Target = (typeof targets)[number];

/**
 * A business phone number of a workspace, with the URLs of its targets; a target without one gets nothing. A target's
 * `_removed_version` is the version of the settings with which it last lost its URL.
 */
export interface PhoneNumber
  extends Partial<Record<Target, string>>,
    Partial<Record<`${Target}_removed_version`, number>> {
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

/** Whether the target has lost its URL since the settings had this version; without one, whether it ever has. */
export function hasLostUrlSince(number: PhoneNumber, target: Target, version = 0): boolean {
  return version < (number[`${target}_removed_version`] ?? 0);
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

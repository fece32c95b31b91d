/** The targets of a number's notifications: calls go to `calls_webhook`, everything else to the other two. */
export const targets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type Target = (typeof targets)[number];

/**
 * A business phone number of a workspace, with the URLs of its targets. A target without a URL gets nothing. A target's
 * `_removed_version` is the version of the settings that last removed its URL.
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
  /** Every change that affects deliveries increments it; absent before the first such change. */
  settings_version?: number;
  /** Epoch milliseconds. */
  created_at: number;
}

/** Whether the target's URL was removed after this version of the settings; without a version, whether it ever was. */
export function hasLostUrlSince(number: PhoneNumber, target: Target, version = 0): boolean {
  return version < (number[`${target}_removed_version`] ?? 0);
}

/** The signing secrets of a number. Notifications carry one signature for each valid secret. */
export interface SigningSecrets {
  current: string;
  /** The previous secrets, newest first; some may have expired. */
  replaced?: readonly ReplacedSecret[];
}

export interface ReplacedSecret {
  secret: string;
  /** The secret signs alongside the current one until this time, in epoch milliseconds. */
  valid_until: number;
}

/** The previous secrets that still sign, newest first. */
export function stillValid({ replaced = [] }: SigningSecrets, now: number): ReplacedSecret[] {
  return replaced.filter(({ valid_until }) => valid_until > now);
}

/** The secrets that sign now, newest first. */
export function validSecrets(secrets: SigningSecrets, now: number): string[] {
  return [secrets.current, ...stillValid(secrets, now).map(({ secret }) => secret)];
}

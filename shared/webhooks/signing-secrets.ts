/** The signing secrets of a subscriber. Notifications carry one signature for each valid secret. */
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

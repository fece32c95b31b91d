/** The targets of a number: calls go to `calls_webhook`, everything else to the other two. */
export const targets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type Target = (typeof targets)[number];

/**
 * A number, or a workspace, which gets what belongs to none of its numbers at its `webhook`. A target without a URL gets
 * nothing. A target's `_removed_version` is the version of the settings that last removed its URL; its `_events`, if
 * present, name the only events that it gets. It counts as slow until its `_slow_until`, in epoch milliseconds.
 */
export interface Subscriber
  extends Partial<Record<Target, string>>,
    Partial<Record<`${Target}_removed_version` | `${Target}_slow_until`, number>>,
    Partial<Record<`${Target}_events`, readonly string[]>> {
  /** A number's id or a workspace's. Both are UUIDs, so an id is never that of two subscribers. */
  id: string;
  /** The number's workspace, or the workspace itself. */
  workspace: string;
  active: boolean;
  /**
   * Every change that affects deliveries increments it, and so do the first failure of a row and the opening of a circuit
   * breaker; absent before.
   */
  settings_version?: number;
}

/** What identifies a subscriber, and says whether it is a number or a workspace. */
export type SubscriberKey = Pick<Subscriber, 'id' | 'workspace'>;

/** A workspace as a subscriber, as long as nothing is set for it. */
export function workspaceSubscriber({ id }: { id: string }): Subscriber {
  return { id, workspace: id, active: true };
}

/** Whether the subscriber is a workspace, not a number. */
export function isWorkspace({ id, workspace }: SubscriberKey): boolean {
  return id === workspace;
}

/** Whether the target's URL was removed after this version of the settings; without a version, whether it ever was. */
export function hasLostUrlSince(subscriber: Subscriber, target: Target, version = 0): boolean {
  return version < (subscriber[`${target}_removed_version`] ?? 0);
}

/** Whether an attempt noted lately that the target is slow. Its messages then go to the slow queue. */
export function isNotedAsSlow(subscriber: Subscriber, target: Target, now: number): boolean {
  return (subscriber[`${target}_slow_until`] ?? 0) > now;
}

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

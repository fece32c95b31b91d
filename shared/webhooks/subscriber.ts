import { ServiceError } from '#shared/base/service-error.ts';
import type { Breaker } from './breaker.ts';

/** What gets notifications: a number, or a workspace, which gets what belongs to none of its numbers. */
export interface Subscriber {
  /** A number's id or a workspace's. Both are UUIDs, so an id is never that of two subscribers. */
  id: string;
  /** The number's workspace, or the workspace itself. */
  workspace: string;
  active: boolean;
}

/** A workspace as a subscriber. */
export function workspaceSubscriber({ id }: { id: string }): Subscriber {
  return { id, workspace: id, active: true };
}

/** Whether the subscriber is a workspace, not a number. */
export function isWorkspace({ id, workspace }: Pick<Subscriber, 'id' | 'workspace'>): boolean {
  return id === workspace;
}

/** The error for a subscriber that was deleted after the request was authorised. */
export function subscriberNotFound(subscriber: Subscriber): ServiceError {
  return new ServiceError(isWorkspace(subscriber) ? 'workspace.not-found' : 'number.not-found');
}

/** A business phone number of a workspace. */
export interface PhoneNumber extends Subscriber {
  /** The upstream's id of the number. */
  phone_number_id: string;
  display_phone_number: string;
  calling_enabled: boolean;
  /** Epoch milliseconds. */
  created_at: number;
}

/** The targets of a number: calls go to `calls_webhook`, everything else to the other two. */
export const targets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type Target = (typeof targets)[number];

/** The targets that a subscriber has: a workspace has only a `webhook`. */
export const targetsOf = (subscriber: Pick<Subscriber, 'id' | 'workspace'>): readonly Target[] =>
  isWorkspace(subscriber) ? ['webhook'] : targets;

/** What is set for a target, and what its deliveries have found out about it. */
export interface TargetRecord {
  /** Without a URL, the target gets nothing. */
  url?: string;
  /** The only events that the target gets; all if absent. */
  events?: readonly string[];
  /** The names of headers of its own, and the origin of the URL that they were set for. Their values are secrets. */
  headers?: HeaderNames;
  /** Every change of the URL, the events, the headers or the secrets increments it. */
  version: number;
  /** The version that last removed the URL. */
  removed_version?: number;
  /** The version with which the subscriber's secrets last changed. */
  secrets_version?: number;
  breaker: Breaker;
}

export interface HeaderNames {
  origin: string;
  names: readonly string[];
}

/** A target for which nothing was ever set. */
export const newTarget = (): TargetRecord => ({ version: 0, breaker: { failures: 0 } });

/** Whether the target's URL was removed after this version of the target; without a version, whether it ever was. */
export function urlRemovedSince({ removed_version = 0 }: TargetRecord, version = 0): boolean {
  return version < removed_version;
}

/** A subscriber with everything that decides how its notifications are delivered, except secrets. */
export interface DeliverySettings {
  subscriber: Subscriber;
  targets: Record<Target, TargetRecord>;
}

/** Reads the settings of a subscriber; throws `not-found` if it was deleted meanwhile. */
export async function existingSettings(
  subscriber: Subscriber,
  targets: { read(subscriber: string): Promise<DeliverySettings | undefined> },
): Promise<DeliverySettings> {
  const settings = await targets.read(subscriber.id);
  if (!settings) throw subscriberNotFound(subscriber);
  return settings;
}

/** The subscriber that a path names: a number, or else a workspace. */
export function subscriberOf(request: { number: PhoneNumber } | { workspace: { id: string } }): Subscriber {
  return 'number' in request ? request.number : workspaceSubscriber(request.workspace);
}

import { randomBytes } from 'node:crypto';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import type { Breaker } from './breaker.ts';
import type { Format } from './meta-format.ts';

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

/** The targets of every number: calls go to `calls_webhook`, everything else to the other two. */
export const builtInTargets = ['webhook', 'secondary_webhook', 'calls_webhook'] as const;

export type BuiltInTarget = (typeof builtInTargets)[number];

/**
 * A target with a name of its own. What follows the name tells it from earlier targets of this name: nothing that was
 * for one of them reaches it.
 */
export type NamedTarget = `${string}.${string}`;

export type Target = BuiltInTarget | NamedTarget;

/** How many targets with names of their own a number can have. */
export const maxNamedTargets = 5;

/** The form of such names. `webhook` is taken, and the other built-in names have an underscore. */
export const ownName = /^(?!webhook$)[a-z][a-z0-9-]{0,31}$/;

/** A target of this name that has never existed. */
export const newNamedTarget = (name: string): NamedTarget => `${name}.${randomBytes(6).toString('hex')}`;

export const isNamed = (target: string): target is NamedTarget => target.includes('.');

export const isBuiltIn = (name: string): name is BuiltInTarget => builtInTargets.some((each) => each === name);

export const isTarget = (text: unknown): text is Target =>
  typeof text === 'string' && (isBuiltIn(text) || /^[a-z][a-z0-9-]*\.[0-9a-f]+$/.test(text));

/** What users call a target. */
export const nameOf = (target: Target): string => target.replace(/\..*/, '');

/** The targets that a subscriber has whatever anybody sets: a workspace has only a `webhook`. */
export const builtInTargetsOf = (subscriber: Pick<Subscriber, 'id' | 'workspace'>): readonly BuiltInTarget[] =>
  isWorkspace(subscriber) ? ['webhook'] : builtInTargets;

/** All targets of a subscriber, those with names of their own last. */
export const targetsOf = ({ subscriber, targets }: DeliverySettings): readonly Target[] => [
  ...builtInTargetsOf(subscriber),
  ...Object.keys(targets).filter(isNamed),
];

export const findTarget = (settings: DeliverySettings, name: string): Target | undefined =>
  targetsOf(settings).find((each) => nameOf(each) === name);

/** The target that a path names; throws `target.not-found` without one. */
export function existingTarget(settings: DeliverySettings, name: string): Target {
  const target = findTarget(settings, name);
  if (target === undefined) throw targetNotFound(targetsOf(settings));
  return target;
}

/** The same for one with a name of its own. */
export function existingNamedTarget(settings: DeliverySettings, name: string): NamedTarget {
  const target = findTarget(settings, name);
  if (target === undefined || !isNamed(target)) throw targetNotFound(targetsOf(settings).filter(isNamed));
  return target;
}

export const targetNotFound = (targets: readonly Target[]): ServiceError =>
  new ServiceError('target.not-found', { values: { targets: targets.map(nameOf).join(', ') } });

/** The target that the field `target` of a request names. */
export function chosenTarget(settings: DeliverySettings, name: string): Target {
  const target = findTarget(settings, name);
  if (target !== undefined) return target;
  throw invalidField('target', 'selected', { values: targetsOf(settings).map(nameOf).join(', ') });
}

/** What is set for a target, and what its deliveries have found out about it. */
export interface TargetRecord {
  /** Without a URL, the target gets nothing. */
  url?: string;
  /** The form of its notifications; that of the specification if absent. */
  format?: Format;
  /** The only events that the target gets; all if absent. */
  events?: readonly string[];
  /** The names of headers of its own, and the origin of the URL that they were set for. Their values are secrets. */
  headers?: HeaderNames;
  /** Every change of the URL, the format, the events, the headers or the secrets increments it. */
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
export function urlRemovedSince(target: TargetRecord | undefined, version = 0): boolean {
  return version < (target?.removed_version ?? 0);
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

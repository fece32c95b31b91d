import type { Breaker } from './breaker.ts';
import { isWorkspace, type Subscriber } from './subscriber.ts';

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

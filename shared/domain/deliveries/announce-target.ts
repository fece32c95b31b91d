import { timestamp } from '#shared/base/clock.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { isWorkspace, type Target } from '../accounts/subscriber.ts';
import { type AnnouncementContext, announce } from './announce.ts';
import type { Breaker } from './breaker.ts';
import type { TargetStore } from './target-store.ts';

interface BreakerEvent {
  type: 'target.opened' | 'target.paused' | 'target.closed';
  at: number;
  data: object;
}

export interface TargetAnnouncementContext extends AnnouncementContext {
  targets: Pick<TargetStore, 'read' | 'noteAnnounced'>;
}

interface TargetOfSubscriber {
  /** The id of the subscriber. */
  number: string;
  target: Target;
}

/** Whether something happened to a target that its workspace has not been sent yet. */
export function isUnannounced(breaker: Breaker): boolean {
  return unannounced(breaker).length > 0;
}

/**
 * Sends the workspace what happened to a target of one of its numbers, and then notes that on the circuit breaker. After
 * a failure in between, a repeat sends the same events under the same ids.
 */
export async function announceTarget(
  { number, target }: TargetOfSubscriber,
  context: TargetAnnouncementContext,
): Promise<void> {
  const { subscriber, breakers } = (await context.targets.read(number)) ?? {};
  const breaker = breakers?.[target];
  if (!subscriber || !breaker) return;
  const events = unannounced(breaker);
  const last = events.at(-1);
  if (!last) return;
  // A webhook of a workspace that fails is only logged: to send it events about itself would never end. A breaker also
  // closes when the URL is removed, which is no recovery.
  const isSilent = isWorkspace(subscriber) || subscriber[target] === undefined;
  for (const { type, at, data } of isSilent ? [] : events) {
    const subject = `${number}:${target}`;
    await announce({ workspace: subscriber.workspace, type, at, subject, data: { number, target, ...data } }, context);
  }
  await context.targets.noteAnnounced(number, target, { name: nameOf(last), isPause: last.type === 'target.paused' });
}

/** The same, where a failure must not fail what caused the event. The sweep tries again. */
export async function tryToAnnounceTarget(
  about: TargetOfSubscriber,
  context: TargetAnnouncementContext,
): Promise<void> {
  try {
    await announceTarget(about, context);
  } catch (error) {
    log('warn', 'target.not-announced', { subscriber: about.number, target: about.target, ...describeError(error) });
  }
}

/** The events of a breaker since it opened last that come after the one that was announced last. */
function unannounced(breaker: Breaker): BreakerEvent[] {
  const { failures, opened_at, paused_at, drain, last_opened_at, announced } = breaker;
  const opened = opened_at ?? (drain && last_opened_at);
  const since = opened === undefined ? {} : { since: timestamp(opened) };
  const events: BreakerEvent[] = [];
  if (opened !== undefined) {
    events.push({ type: 'target.opened', at: opened, data: { ...since, ...(opened_at && { failures }) } });
  }
  if (paused_at !== undefined) events.push({ type: 'target.paused', at: paused_at, data: { ...since, failures } });
  if (drain) events.push({ type: 'target.closed', at: drain.since, data: since });
  return events.slice(events.findIndex((event) => nameOf(event) === announced) + 1);
}

/** Identifies an event among those of its target. */
const nameOf = ({ type, at }: BreakerEvent) => `${type} ${at}`;

import { describeError, log } from '#shared/base/logger.ts';
import { type Clock, timestamp } from '#shared/base/time.ts';
import type { Breaker } from '#shared/webhooks/breaker.ts';
import type { BreakerStore } from '#shared/webhooks/breaker-store.ts';
import { type ServiceEvent, wants } from '#shared/webhooks/event-names.ts';
import { isWorkspace, nameOf, type Target } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { firstAttempts } from './notification.ts';
import type { NotificationQueue } from './notification-queue-store.ts';

interface BreakerEvent {
  type: 'target.failing' | 'target.paused' | 'target.recovered';
  at: number;
  data: object;
}

export interface TargetAnnouncementContext extends AnnouncementContext {
  breakers: Pick<BreakerStore, 'noteAnnounced'>;
}

interface TargetOfSubscriber {
  /** The id of the subscriber. */
  subscriber: string;
  target: Target;
}

/** Whether something happened to a target that its workspace has not been sent yet. */
export function isUnannounced(breaker: Breaker): boolean {
  return unannounced(breaker).length > 0;
}

/**
 * Sends the workspace what happened to a target of one of its numbers, and then notes that on the circuit breaker.
 * After a failure in between, a repeat sends the same events under the same ids.
 */
export async function announceTarget(
  { subscriber, target }: TargetOfSubscriber,
  context: TargetAnnouncementContext,
): Promise<void> {
  const settings = await context.targets.read(subscriber);
  const record = settings?.targets[target];
  if (!settings || !record) return;
  const { workspace } = settings.subscriber;
  const { url, breaker } = record;
  const events = unannounced(breaker);
  const last = events.at(-1);
  if (!last) return;
  // A webhook of a workspace that fails is only logged: to send it events about itself would never end. A breaker also
  // closes when the URL is removed, which is not a recovery.
  const isSilent = isWorkspace(settings.subscriber) || url === undefined;
  for (const { type, at, data } of isSilent ? [] : events) {
    const subject = `${subscriber}:${target}`;
    await announce(
      { workspace, type, at, subject, data: { number: subscriber, target: nameOf(target), ...data } },
      context,
    );
  }
  await context.breakers.noteAnnounced(subscriber, target, {
    name: eventNameOf(last),
    isPause: last.type === 'target.paused',
  });
}

/** The same, where a failure must not fail what caused the event. The sweep tries again. */
export async function tryToAnnounceTarget(
  about: TargetOfSubscriber,
  context: TargetAnnouncementContext,
): Promise<void> {
  try {
    await announceTarget(about, context);
  } catch (error) {
    log('warn', 'target.not-announced', { ...about, ...describeError(error) });
  }
}

/** The events of a breaker since it opened last that come after the one that was announced last. */
function unannounced(breaker: Breaker): BreakerEvent[] {
  const { opened_at, probes = 0, paused_at, drain, last_opened_at, announced } = breaker;
  const failures = breaker.failures + probes;
  const opened = opened_at ?? (drain && last_opened_at);
  const since = opened === undefined ? {} : { since: timestamp(opened) };
  const events: BreakerEvent[] = [];
  if (opened !== undefined) {
    events.push({ type: 'target.failing', at: opened, data: { ...since, ...(opened_at && { failures }) } });
  }
  if (paused_at !== undefined) events.push({ type: 'target.paused', at: paused_at, data: { ...since, failures } });
  if (drain) events.push({ type: 'target.recovered', at: drain.since, data: since });
  return events.slice(events.findIndex((event) => eventNameOf(event) === announced) + 1);
}

/** Identifies an event among those of its target. */
const eventNameOf = ({ type, at }: BreakerEvent) => `${type} ${at}`;

export interface AnnouncementContext {
  targets: Pick<TargetStore, 'read'>;
  queue: NotificationQueue;
  now: Clock;
}

/** Queues an event for the webhook of its workspace, if that has one. A repeat of the event gets the same id. */
export async function announce(
  { workspace, type, at, subject, data }: ServiceEvent,
  { targets, queue, now }: AnnouncementContext,
): Promise<void> {
  const arrivedAt = now();
  const settings = await targets.read(workspace);
  if (!settings || !wants(settings.targets.webhook.events, type)) return;
  const text = JSON.stringify({ type, timestamp: timestamp(at), data });
  // Without a form of Meta's, which these events do not have.
  const notification = { kind: 'service', key: `${type}:${subject}`, timestampMs: at, text } as const;
  const payloads = { keep: async () => ({ text }) };
  const messages = await firstAttempts(notification, settings, ['webhook'], { payloads, arrivedAt });
  if (messages.length > 0) await queue.send(messages.map((message) => ({ message })));
}

import { BoundedMap } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/clock.ts';
import { minuteMs } from '#shared/base/duration.ts';
import type { FirstAttempt } from './message.ts';
import type { DeliverySettings } from './target-store.ts';

/**
 * Remembered settings serve only messages that are no older than this. So it is also how long a change of settings may
 * remain without effect on what was ingested before it.
 */
export const newForMs = 1_000;

/**
 * How long the settings of a subscriber are remembered. The version tells of every change that matters. (A breaker that
 * closes or is reset adds none, because a process reads the settings again before it holds a notification.) Adding the
 * version may fail after the change itself, so others may miss that change for as long.
 */
const rememberedForMs = 10 * minuteMs;

/** The most subscribers whose settings are remembered. */
const maxSubscribers = 5_000;

type ReadSettings = (subscriber: string) => Promise<DeliverySettings | undefined>;

/** The settings that one batch of messages uses. Deliveries update the breakers in them as they learn more. */
export interface BatchSettings {
  /**
   * Returns what an earlier batch read, if that is enough to send this message: it covers every change that ingestion
   * saw, and the message is new. It is never a reason to end or hold a delivery.
   */
  remembered(message: FirstAttempt): DeliverySettings | undefined;
  /** Reads the settings, once for all messages of the batch, with a strongly consistent read. */
  current: ReadSettings;
}

/** Remembers the settings of subscribers between the batches of one consumer process. */
export function knownSettings(read: ReadSettings, now: Clock): { forBatch(): BatchSettings } {
  const memory = new BoundedMap<string, { settings: DeliverySettings; readAt: number }>(maxSubscribers);

  async function readAndRemember(subscriber: string): Promise<DeliverySettings | undefined> {
    const readAt = now();
    const settings = await read(subscriber);
    if (settings) memory.set(subscriber, { settings, readAt });
    else memory.delete(subscriber);
    return settings;
  }

  return {
    forBatch() {
      const reads = new Map<string, ReturnType<ReadSettings>>();
      return {
        remembered(message) {
          const known = memory.get(message.number);
          if (!known) return undefined;
          const time = now();
          const isNew = message.created_at >= time - newForMs && known.readAt >= time - rememberedForMs;
          const seen = message.settings_version ?? Number.POSITIVE_INFINITY;
          const covers = (known.settings.subscriber.settings_version ?? 0) >= seen;
          return isNew && covers ? known.settings : undefined;
        },
        current(subscriber) {
          const settings = reads.get(subscriber) ?? readAndRemember(subscriber);
          reads.set(subscriber, settings);
          return settings;
        },
      };
    },
  };
}

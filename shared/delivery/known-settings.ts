import { BoundedMap } from '#shared/base/cache.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { SecretStore, SubscriberSecrets } from '#shared/webhooks/secret-store.ts';
import { type Target, type TargetRecord, targets } from '#shared/webhooks/target.ts';
import type { DeliverySettings, TargetStore } from '#shared/webhooks/target-store.ts';
import type { FirstAttempt } from './notification.ts';

/**
 * Remembered settings serve only messages that are no older than this. So it is also how long a change of settings may
 * remain without effect on what was ingested before it.
 */
export const newForMs = 1_000;

/**
 * How long the settings and the secrets of a subscriber are remembered. The version of a target tells of every change
 * that matters. (A breaker that closes or is reset adds none, because a process reads the settings again before it
 * holds a notification.)
 */
const rememberedForMs = 10 * minuteMs;

/** The most subscribers whose settings are remembered. */
const maxSubscribers = 5_000;

type ReadSettings = TargetStore['read'];
type ReadSecrets = SecretStore['get'];

/** The settings that one batch of messages uses. */
export interface BatchSettings {
  /**
   * Returns what an earlier batch read, if that is enough to send this message: it covers every change that ingestion
   * saw, and the message is new. It is never a reason to end or hold a delivery.
   */
  remembered(message: FirstAttempt): DeliverySettings | undefined;
  /** Reads the settings, once for all messages of the batch, with a strongly consistent read. */
  current: ReadSettings;
  /**
   * Takes over a target as an attempt has left it, for all messages that use these settings, in later batches as well.
   */
  learn(settings: DeliverySettings, target: Target, record: TargetRecord): void;
  /**
   * Returns the secrets that are at least as new as these settings of the target: what is remembered, or else a read.
   * `undefined` when the subscriber was deleted.
   */
  secretsFor(settings: DeliverySettings, target: Target): Promise<SubscriberSecrets | undefined>;
}

interface KnownSecrets {
  /** The `secrets_version` of each target that was known when the read began. A change writes the secrets with it. */
  versions: Record<Target, number>;
  readAt: number;
  secrets: ReturnType<ReadSecrets>;
}

const secretsVersion = ({ secrets_version = 0 }: TargetRecord) => secrets_version;

/** Remembers the settings of subscribers between the batches of one delivery process. */
export function rememberSettings(
  read: ReadSettings,
  readSecrets: ReadSecrets,
  now: Clock,
): { forBatch(): BatchSettings } {
  const secretsMemory = new BoundedMap<string, KnownSecrets>(maxSubscribers);
  const memory = new BoundedMap<string, { settings: DeliverySettings; readAt: number }>(maxSubscribers);

  async function readAndRemember(subscriber: string): Promise<DeliverySettings | undefined> {
    const readAt = now();
    const settings = await read(subscriber);
    if (settings) memory.set(subscriber, { settings, readAt });
    else memory.delete(subscriber);
    return settings;
  }

  function secretsFor({ subscriber: { id }, targets: records }: DeliverySettings, target: Target) {
    const remembered = secretsMemory.get(id);
    const isRecent = remembered !== undefined && remembered.readAt >= now() - rememberedForMs;
    if (isRecent && remembered.versions[target] >= secretsVersion(records[target])) return remembered.secrets;
    const versions = Object.fromEntries(
      targets.map((each) => [each, secretsVersion(records[each])]),
    ) as KnownSecrets['versions'];
    const entry = { versions, readAt: now(), secrets: readSecrets(id) };
    secretsMemory.set(id, entry);
    entry.secrets.catch(() => {
      // A later read may have replaced the one that failed.
      if (secretsMemory.get(id) === entry) secretsMemory.delete(id);
    });
    return entry.secrets;
  }

  return {
    forBatch() {
      const reads = new Map<string, ReturnType<ReadSettings>>();
      return {
        remembered(message) {
          const remembered = memory.get(message.subscriber);
          if (!remembered) return undefined;
          const time = now();
          const isNew = message.created_at >= time - newForMs && remembered.readAt >= time - rememberedForMs;
          const covers = remembered.settings.targets[message.target].version >= message.target_version;
          return isNew && covers ? remembered.settings : undefined;
        },
        current(subscriber) {
          const settings = reads.get(subscriber) ?? readAndRemember(subscriber);
          reads.set(subscriber, settings);
          return settings;
        },
        learn(settings, target, record) {
          settings.targets[target] = record;
        },
        secretsFor,
      };
    },
  };
}

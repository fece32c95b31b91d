import { BoundedMap } from '#shared/base/cache.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { SecretStore, SubscriberSecrets } from '#shared/webhooks/secret-store.ts';
import { type Target, type TargetRecord, targets } from '#shared/webhooks/target.ts';
import type { DeliverySettings, TargetStore } from '#shared/webhooks/target-store.ts';

/** How long the secrets of a subscriber are remembered, unless a version tells of a change. */
const rememberedForMs = 10 * minuteMs;

/** The most subscribers whose secrets are remembered. */
const maxSubscribers = 5_000;

type ReadSettings = TargetStore['read'];
type ReadSecrets = SecretStore['get'];

/** The settings that one batch of messages uses. */
export interface BatchSettings {
  /** Reads the settings, once for all messages of the batch, with a strongly consistent read. */
  current: ReadSettings;
  /**
   * Takes over a target as an attempt has left it, for the other messages of the batch.
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

/** Reads the settings of subscribers for each batch, and remembers their secrets between the batches of a process. */
export function rememberSettings(
  read: ReadSettings,
  readSecrets: ReadSecrets,
  now: Clock,
): { forBatch(): BatchSettings } {
  const secretsMemory = new BoundedMap<string, KnownSecrets>(maxSubscribers);

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
        current(subscriber) {
          const settings = reads.get(subscriber) ?? read(subscriber);
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

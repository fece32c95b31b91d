import { BoundedMap } from '#shared/base/cache.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { SecretStore, SubscriberSecrets } from '#shared/webhooks/secret-store.ts';
import { type Target, type TargetRecord, targets } from '#shared/webhooks/target.ts';
import type { DeliverySettings } from '#shared/webhooks/target-store.ts';

/** How long the secrets of a subscriber are remembered, unless a version tells of a change. */
const rememberedForMs = 10 * minuteMs;

/** The most subscribers whose secrets are remembered. */
const maxSubscribers = 5_000;

/**
 * Returns the secrets of a subscriber that are at least as new as these settings of the target: what is remembered, or
 * else a read. `undefined` when the subscriber was deleted.
 */
export type SecretsReader = (settings: DeliverySettings, target: Target) => Promise<SubscriberSecrets | undefined>;

interface KnownSecrets {
  /** The `secrets_version` of each target that was known when the read began. A change writes the secrets with it. */
  versions: Record<Target, number>;
  readAt: number;
  secrets: Promise<SubscriberSecrets | undefined>;
}

const secretsVersion = ({ secrets_version = 0 }: TargetRecord) => secrets_version;

/** Remembers secrets between the batches of a delivery process. */
export function rememberSecrets(read: SecretStore['get'], now: Clock): SecretsReader {
  const memory = new BoundedMap<string, KnownSecrets>(maxSubscribers);

  return ({ subscriber: { id }, targets: records }, target) => {
    const remembered = memory.get(id);
    const isRecent = remembered !== undefined && remembered.readAt >= now() - rememberedForMs;
    if (isRecent && remembered.versions[target] >= secretsVersion(records[target])) return remembered.secrets;
    const versions = Object.fromEntries(
      targets.map((each) => [each, secretsVersion(records[each])]),
    ) as KnownSecrets['versions'];
    const entry = { versions, readAt: now(), secrets: read(id) };
    memory.set(id, entry);
    entry.secrets.catch(() => {
      // A later read may have replaced the one that failed.
      if (memory.get(id) === entry) memory.delete(id);
    });
    return entry.secrets;
  };
}

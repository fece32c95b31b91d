import { keys, prefixes } from '#shared/aws/keys.ts';
import { batchGet, fromItem, getRecord, queryIndex, queryPartition, type Table } from '#shared/aws/table.ts';
import { assign, onCondition, writeTogether } from '#shared/aws/write.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import {
  builtInTargets,
  builtInTargetsOf,
  type DeliverySettings,
  isTarget,
  type NamedTarget,
  newTarget,
  type PhoneNumber,
  type Subscriber,
  type Target,
  type TargetRecord,
} from './subscriber.ts';
import { newVersionOf, targetChanges } from './target-change-store.ts';
import type { OwnSecrets, SigningSecrets, SubscriberSecrets } from './webhook-signature.ts';

/** The maximum number of upstream ids whose number a process remembers. */
const maxNumbers = 10_000;

export type TargetStore = ReturnType<typeof targetStore>;

/** What is set for the targets of subscribers. */
export function targetStore(table: Table) {
  /** Reads a subscriber with its targets, consistently, in one call; `undefined` when it does not exist. */
  async function read(subscriber: string): Promise<DeliverySettings | undefined> {
    return settingsIn(await Array.fromAsync(queryPartition(table, keys.number(subscriber).pk)));
  }

  const numberIds = new BoundedMap<string, string>(maxNumbers);

  async function readNumberId(phoneNumberId: string): Promise<string | undefined> {
    const claim = await getRecord<{ number: string }>(table, keys.phoneNumberId(phoneNumberId));
    if (claim) numberIds.set(phoneNumberId, claim.number);
    return claim?.number;
  }

  async function readNumber(id: string, phoneNumberId: string) {
    const settings = (await read(id)) as (DeliverySettings & { subscriber: PhoneNumber }) | undefined;
    return settings?.subscriber.phone_number_id === phoneNumberId ? settings : undefined;
  }

  return {
    read,

    /**
     * The same for the number with this upstream id. The store remembers which number that is, and verifies it each time.
     */
    async findByPhoneNumberId(phoneNumberId: string) {
      const remembered = numberIds.get(phoneNumberId);
      const found = remembered && (await readNumber(remembered, phoneNumberId));
      if (found) return found;
      numberIds.delete(phoneNumberId);
      const id = await readNumberId(phoneNumberId);
      return id === undefined ? undefined : readNumber(id, phoneNumberId);
    },

    ...targetChanges(table),
  };
}

type Item = Readonly<Record<string, unknown>>;

/** The items with which a subscriber begins, besides its own: its targets and its secrets. */
export function itemsOfNewSubscriber(subscriber: Subscriber, secret: string): Item[] {
  const { id } = subscriber;
  return [
    ...builtInTargetsOf(subscriber).map((target) => ({ ...keys.target(id, target), ...newTarget() })),
    { ...keys.secrets(id), current: secret },
  ];
}

/** The settings in the items of a subscriber's partition; `undefined` when the subscriber itself is not among them. */
export function settingsIn(items: readonly Item[]): DeliverySettings | undefined {
  const find = <T>(sk: string) => fromItem<T>(items.find((item) => item.sk === sk));
  const subscriber = find<PhoneNumber>(numberSk) ?? find<Subscriber>(workspaceSk);
  if (!subscriber) return undefined;
  const records = [...builtInTargets.map((target) => [target, newTarget()]), ...byTarget<TargetRecord>(items)];
  return { subscriber, targets: Object.fromEntries(records) };
}

/** The records of targets among the items of a partition. */
function byTarget<T>(items: readonly Item[]): (readonly [Target, T])[] {
  return items.flatMap((item) => {
    const target = targetOf(item);
    return target === undefined ? [] : [[target, fromItem(item) as T] as const];
  });
}

/** The target in the key of an item. */
export function targetOf({ sk }: Item): Target | undefined {
  const target = String(sk).slice(prefixes.target.length);
  return String(sk).startsWith(prefixes.target) && isTarget(target) ? target : undefined;
}

const { sk: numberSk } = keys.number('any');
const { sk: workspaceSk } = keys.workspaceSubscriber('any');

export interface NumberWithSecrets {
  number: PhoneNumber;
  secrets: SigningSecrets;
}

/** How many numbers of a workspace are read at once with their secrets: the caller usually stops at twenty. */
const numbersAtOnce = 25;

export type SecretStore = ReturnType<typeof secretStore>;

/** The secrets of subscribers, which begin with the subscriber. */
export function secretStore(table: Table) {
  async function withSecrets(numbers: readonly string[]): Promise<NumberWithSecrets[]> {
    const items = await batchGet(
      table,
      numbers.flatMap((id) => [keys.number(id), keys.secrets(id)]),
    );
    const find = <T>({ pk, sk }: { pk: string; sk: string }) =>
      fromItem<T>(items.find((item) => item.pk === pk && item.sk === sk));
    return numbers.flatMap((id) => {
      const number = find<PhoneNumber>(keys.number(id));
      const secrets = find<SubscriberSecrets>(keys.secrets(id));
      return number && secrets ? [{ number, secrets }] : [];
    });
  }

  return {
    /** Reads the secrets, consistently; `undefined` when the subscriber does not exist. */
    async get(subscriber: string): Promise<SubscriberSecrets | undefined> {
      const { pk, sk } = keys.secrets(subscriber);
      const items = await Array.fromAsync(queryPartition(table, pk));
      const shared = fromItem<SubscriberSecrets & { named?: unknown }>(items.find((item) => item.sk === sk));
      if (!shared) return undefined;
      const { named: _, ...secrets } = shared;
      const own = byTarget<OwnSecrets>(items);
      return own.length === 0 ? secrets : { ...secrets, targets: Object.fromEntries(own) };
    },

    /** Reads the numbers of a workspace with their secrets, consistently: one query, then 25 numbers in each call. */
    async *listByWorkspace(workspace: string): AsyncGenerator<NumberWithSecrets> {
      const { pk } = keys.workspace(workspace);
      const found = queryIndex(table, 'gsi1', pk, numberPrefix, numbersAtOnce);
      for await (const group of groupsOf(found, numbersAtOnce)) {
        yield* await withSecrets(group.map(({ gsi1sk }) => String(gsi1sk).slice(numberPrefix.length)));
      }
    },

    /**
     * Replaces the signing secrets, without a `target` those of the built-in ones, if the current one is `expected`, and
     * notes that for each of these targets, in one write: every process then reads them again. `false` when another
     * request changed them meanwhile, or this write is a repeat.
     */
    replace(
      subscriber: Pick<Subscriber, 'id' | 'workspace'>,
      expected: string,
      { current, replaced }: SigningSecrets,
      target?: NamedTarget,
    ): Promise<boolean> {
      const { id } = subscriber;
      const replace = onCondition(assign({ current, replaced }), {
        ConditionExpression: '#current = :expected',
        ExpressionAttributeValues: { ':expected': expected },
      });
      const Key = target ? keys.targetSecrets(id, target) : keys.secrets(id);
      const targets = target ? [target] : builtInTargetsOf(subscriber);
      return writeTogether(table, [
        { TableName: table.name, Key, ...replace },
        ...targets.map((each) => newVersionOf(table, id, each, {}, ['secrets_version'])),
      ]);
    },
  };
}

const numberPrefix = 'NUMBER#';

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
  versions: ReadonlyMap<Target, number>;
  readAt: number;
  secrets: Promise<SubscriberSecrets | undefined>;
}

/** Remembers secrets between the batches of a delivery process. */
export function rememberSecrets(read: SecretStore['get'], now: Clock): SecretsReader {
  const memory = new BoundedMap<string, KnownSecrets>(maxSubscribers);

  return ({ subscriber: { id }, targets: records }, target) => {
    const remembered = memory.get(id);
    const isRecent = remembered !== undefined && remembered.readAt >= now() - rememberedForMs;
    const needed = records[target]?.secrets_version ?? 0;
    if (isRecent && (remembered.versions.get(target) ?? -1) >= needed) return remembered.secrets;
    const versions = new Map(
      Object.entries(records).map(([each, { secrets_version = 0 }]) => [each as Target, secrets_version]),
    );
    const entry = { versions, readAt: now(), secrets: read(id) };
    memory.set(id, entry);
    entry.secrets.catch(() => {
      // A later read may have replaced the one that failed.
      if (memory.get(id) === entry) memory.delete(id);
    });
    return entry.secrets;
  };
}

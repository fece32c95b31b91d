import { keys } from '#shared/aws/keys.ts';
import { batchGet, fromItem, getRecord, queryIndex, queryPartition, type Table } from '#shared/aws/table.ts';
import { assign, type Condition, onCondition, pathAlias, type Update, writeTogether } from '#shared/aws/write.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import {
  type DeliverySettings,
  newTarget,
  type PhoneNumber,
  type Subscriber,
  type Target,
  type TargetRecord,
  targets,
  targetsOf,
} from './subscriber.ts';
import type { SigningSecrets } from './webhook-signature.ts';

/** What changes of a target. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface StoredTargetChanges {
  events?: readonly string[] | null | undefined;
  headers?: StoredHeaders | null | undefined;
  /** The version to which the change applies; without it, it applies to any. */
  version?: number;
}

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

    /**
     * Sets the URLs of targets, or removes them (`null`) and notes the version with which they were removed: all of them
     * or none. `false` when the subscriber does not exist.
     */
    setUrls(subscriber: string, urls: Partial<Record<Target, string | null>>): Promise<boolean> {
      const changes = Object.entries(urls).map(([target, url]) =>
        newVersionOf(table, subscriber, target as Target, updateOfUrl(url)),
      );
      return writeTogether(table, changes);
    },

    /**
     * Changes what a target gets, the values of its headers and their names in one write; `false` when it has another
     * version by now, or the subscriber does not exist.
     */
    changeTarget(
      subscriber: string,
      target: Target,
      { events, headers, version }: StoredTargetChanges,
    ): Promise<boolean> {
      const set = { ...(events && { events }), ...(headers && { headers: namesOf(headers) }) };
      const removed = [...(events === null ? ['events'] : []), ...(headers === null ? ['headers'] : [])];
      const notes = headers === undefined ? [] : ['secrets_version'];
      const update = newVersionOf(table, subscriber, target, withNewVersion(assign(set, removed), notes));
      const sameVersion = {
        ConditionExpression: '#version = :version',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':version': version },
      };
      const changed = { ...update, ...(version !== undefined && sameVersion) };
      const values = headers === undefined ? [] : [valuesUpdate(table, subscriber, target, headers)];
      return writeTogether(table, [changed, ...values]);
    },
  };
}

/** The update that sets a URL, or removes it and notes the version with which it was removed. */
const updateOfUrl = (url: string | null) =>
  url === null ? withNewVersion(assign({}, ['url']), ['removed_version']) : withNewVersion(assign({ url }));

/** The names of headers, which others may read. */
const namesOf = ({ origin, headers }: StoredHeaders) => ({ origin, names: Object.keys(headers).toSorted() });

/** The update of the values of a target's headers, which are secrets. */
const valuesUpdate = (table: Table, subscriber: string, target: Target, headers: StoredHeaders | null) => {
  const name = `headers.${target}`;
  return {
    TableName: table.name,
    Key: keys.secrets(subscriber),
    ConditionExpression: 'attribute_exists(pk)',
    ...(headers ? assign({ [name]: withAnyNames(headers) }) : assign({}, [name])),
  };
};

/** A plain object with a member `constructor` is not a map to the SDK (`marshall`). The table stores the same for a `Map`. */
const withAnyNames = ({ origin, headers }: StoredHeaders) => ({ origin, headers: new Map(Object.entries(headers)) });

/** The condition that the target has this URL. */
export const hasUrl = (url: string): Condition => ({
  ConditionExpression: '#url = :url',
  ExpressionAttributeNames: { '#url': 'url' },
  ExpressionAttributeValues: { ':url': url },
});

/**
 * Extends an update of a target so that it counts as a change that affects deliveries. The attributes in `notes` get
 * the new version: DynamoDB evaluates the expressions of an update on the item before the update.
 */
function withNewVersion(
  { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }: Update,
  notes: readonly string[] = [],
) {
  const versions = ['version', ...notes];
  const set = versions.map((name) => `${pathAlias(name)} = #version + :one`).join(', ');
  const others = UpdateExpression.startsWith('SET ') ? `, ${UpdateExpression.slice(4)}` : ` ${UpdateExpression}`;
  return {
    UpdateExpression: `SET ${set}${UpdateExpression === '' ? '' : others}`,
    ExpressionAttributeNames: {
      ...ExpressionAttributeNames,
      ...Object.fromEntries(versions.map((name) => [pathAlias(name), name])),
    },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':one': 1 },
  };
}

/** The command that makes such an update of a target that exists. */
const newVersionOf = (
  { name: TableName }: Table,
  subscriber: string,
  target: Target,
  update: ReturnType<typeof withNewVersion>,
) => ({ TableName, Key: keys.target(subscriber, target), ConditionExpression: 'attribute_exists(pk)', ...update });

type Item = Readonly<Record<string, unknown>>;

/** The items with which a subscriber begins, besides its own: its targets and its secrets. */
export function itemsOfNewSubscriber(subscriber: Subscriber, secret: string): Item[] {
  const { id } = subscriber;
  return [
    ...targetsOf(subscriber).map((target) => ({ ...keys.target(id, target), ...newTarget() })),
    { ...keys.secrets(id), current: secret, headers: {} },
  ];
}

/** The settings in the items of a subscriber's partition; `undefined` when the subscriber itself is not among them. */
export function settingsIn(items: readonly Item[]): DeliverySettings | undefined {
  const find = <T>(sk: string) => fromItem<T>(items.find((item) => item.sk === sk));
  const subscriber = find<PhoneNumber>(numberSk) ?? find<Subscriber>(workspaceSk);
  if (!subscriber) return undefined;
  const records = targets.map((target) => [target, find<TargetRecord>(keys.target('any', target).sk) ?? newTarget()]);
  return { subscriber, targets: Object.fromEntries(records) };
}

const { sk: numberSk } = keys.number('any');
const { sk: workspaceSk } = keys.workspaceSubscriber('any');

/** What of a subscriber only those may read that sign or rotate. */
export interface SubscriberSecrets extends SigningSecrets {
  /** The receivers' own headers, by target. */
  headers: Partial<Record<Target, StoredHeaders>>;
}

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
    get: (subscriber: string) => getRecord<SubscriberSecrets>(table, keys.secrets(subscriber)),

    /** Reads the numbers of a workspace with their secrets, consistently: one query, then 25 numbers in each call. */
    async *listByWorkspace(workspace: string): AsyncGenerator<NumberWithSecrets> {
      const { pk } = keys.workspace(workspace);
      const found = queryIndex(table, 'gsi1', pk, numberPrefix, numbersAtOnce);
      for await (const group of groupsOf(found, numbersAtOnce)) {
        yield* await withSecrets(group.map(({ gsi1sk }) => String(gsi1sk).slice(numberPrefix.length)));
      }
    },

    /**
     * Replaces the signing secrets if the current one is `expected`, and notes that for each target of the subscriber, in
     * one write: every process then reads them again. `false` when another request changed them meanwhile, or this write
     * is a repeat.
     */
    replace(
      subscriber: Pick<Subscriber, 'id' | 'workspace'>,
      expected: string,
      { current, replaced }: SigningSecrets,
    ): Promise<boolean> {
      const { id } = subscriber;
      const replace = onCondition(assign({ current, replaced }), {
        ConditionExpression: '#current = :expected',
        ExpressionAttributeValues: { ':expected': expected },
      });
      const noted = withNewVersion(assign({}), ['secrets_version']);
      return writeTogether(table, [
        { TableName: table.name, Key: keys.secrets(id), ...replace },
        ...targetsOf(subscriber).map((target) => newVersionOf(table, id, target, noted)),
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

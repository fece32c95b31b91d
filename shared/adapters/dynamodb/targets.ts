import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '#shared/base/cache.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import {
  isWorkspace,
  type SigningSecrets,
  type Subscriber,
  type SubscriberKey,
  type Target,
  targets,
  workspaceSubscriber,
} from '#shared/domain/accounts/subscriber.ts';
import type { Breaker } from '#shared/domain/deliveries/breaker.ts';
import {
  type BreakerArguments,
  type BreakerTransition,
  breakerMachine,
} from '#shared/domain/deliveries/breaker-transitions.ts';
import type { Failure } from '#shared/domain/deliveries/failures-in-a-row.ts';
import type {
  DeliverySettings,
  NumberWithSecrets,
  StoredTargetChanges,
  TargetStore,
  TrippedTarget,
} from '#shared/domain/deliveries/target-store.ts';
import { assign } from './assign.ts';
import { batchGet, type Key } from './batch-get.ts';
import { succeeds, unlessCanceled, unlessUnmet } from './condition.ts';
import { fromItem, getRecord, readRecords, required } from './item.ts';
import { indexKeys, keys } from './keys.ts';
import { queryIndex, queryPartition } from './query.ts';
import { withNewVersion } from './settings-version.ts';
import type { Table } from './table.ts';
import { conditionOf, onCondition, type Update } from './transition.ts';

const { sk: secretsSk } = keys.secrets('any');

/** How many numbers of a workspace are read at once with their secrets: the caller usually stops at twenty. */
const numbersAtOnce = 25;

/** Upstream ids whose number a process remembers. */
const rememberedNumbers = 10_000;

/** The targets of subscribers: URLs, signing secrets and breakers. */
export function targetStore(table: Table): TargetStore {
  const { client, name: TableName } = table;

  /** Makes a transition of `breakerMachine`; gives the breaker as it is then. */
  async function changeBreaker(
    name: BreakerTransition,
    subscriber: string,
    target: Target,
    given: BreakerArguments,
    update: Update,
  ): Promise<Breaker> {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: keys.breaker(subscriber, target),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...onCondition(update, conditionOf(breakerMachine, name, given)),
      }),
    );
    return required(fromItem<Breaker>(Attributes));
  }

  /** A closed breaker without failures needs no item. */
  const deleteBreaker = (name: BreakerTransition, subscriber: string, target: Target, given: BreakerArguments) =>
    client.send(
      new DeleteCommand({
        TableName,
        Key: keys.breaker(subscriber, target),
        ...conditionOf(breakerMachine, name, given),
      }),
    );

  async function addVersion(subscriber: SubscriberKey): Promise<void> {
    const change = { TableName, ...changeOfSettings(subscriber), ConditionExpression: 'attribute_exists(pk)' };
    await succeeds(client.send(new UpdateCommand(change)));
  }

  /**
   * Waits for a transaction that changes the settings in two items. A query that runs meanwhile may see the new version
   * and the other item as it was, so there is one more version afterwards.
   */
  async function changesBoth(
    subscriber: SubscriberKey,
    transaction: TransactWriteCommand,
    reasons?: readonly string[],
  ): Promise<boolean> {
    const isChanged = await unlessCanceled(client.send(transaction), reasons);
    if (isChanged) await addVersion(subscriber);
    return isChanged;
  }

  async function withSecrets(numberKeys: readonly Key[]): Promise<NumberWithSecrets[]> {
    const items = await batchGet(
      table,
      numberKeys.flatMap(({ pk, sk }) => [
        { pk, sk },
        { pk, sk: secretsSk },
      ]),
    );
    const find = <T>({ pk, sk }: Key) => fromItem<T>(items.find((item) => item.pk === pk && item.sk === sk));
    return numberKeys.flatMap((key) => {
      const number = find<PhoneNumber>(key);
      return number ? [{ number, secrets: find<SigningSecrets>({ pk: key.pk, sk: secretsSk }) }] : [];
    });
  }

  const numberIds = new BoundedMap<string, string>(rememberedNumbers);

  async function readNumberId(phoneNumberId: string): Promise<string | undefined> {
    const claim = await getRecord<{ number: string }>(table, keys.phoneNumberId(phoneNumberId));
    if (claim) numberIds.set(phoneNumberId, claim.number);
    return claim?.number;
  }

  return {
    async read(id: string): Promise<DeliverySettings | undefined> {
      const items = new Map<unknown, Record<string, unknown>>();
      for await (const item of queryPartition(table, keys.number(id).pk)) items.set(item.sk, item);
      const subscriber = fromItem<Subscriber>(items.get(keys.number(id).sk) ?? items.get(keys.workspaceWebhook(id).sk));
      if (!subscriber) return undefined;
      const breakers: DeliverySettings['breakers'] = {};
      for (const target of targets) {
        const breaker = fromItem<Breaker>(items.get(keys.breaker(id, target).sk));
        if (breaker) breakers[target] = breaker;
      }
      const headers = fromItem<DeliverySettings['headers']>(items.get(keys.headers(id).sk));
      const secrets = fromItem<SigningSecrets>(items.get(keys.secrets(id).sk));
      return { subscriber, secrets, ...(headers && { headers }), breakers };
    },

    readBreaker: (subscriber: string, target: Target) => getRecord<Breaker>(table, keys.breaker(subscriber, target)),

    async findByPhoneNumberId(phoneNumberId: string): Promise<PhoneNumber | undefined> {
      const remembered = numberIds.get(phoneNumberId);
      const number = remembered && (await getRecord<PhoneNumber>(table, keys.number(remembered)));
      if (number && number.phone_number_id === phoneNumberId) return number;
      numberIds.delete(phoneNumberId);
      const found = await readNumberId(phoneNumberId);
      return found === undefined ? undefined : getRecord<PhoneNumber>(table, keys.number(found));
    },

    async setUrls(
      subscriber: SubscriberKey,
      urls: Partial<Record<Target, string | null>>,
    ): Promise<Subscriber | undefined> {
      const set = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== null));
      const removed = Object.keys(urls).filter((target) => !(target in set));
      const slowNotes = Object.keys(urls).map((target) => `${target}_slow_until`);
      const notes = removed.map((target) => `${target}_removed_version`);
      const update = new UpdateCommand({
        TableName,
        ReturnValues: 'ALL_NEW',
        ...changeOfSettings(subscriber, set, [...removed, ...slowNotes], notes),
      });
      return unlessUnmet<Subscriber | undefined>(
        client.send(update).then(({ Attributes }) => fromItem<Subscriber>(Attributes)),
        () => undefined,
      );
    },

    changeTarget(subscriber: SubscriberKey, target: Target, { events, headers }: StoredTargetChanges) {
      const name = `${target}_events`;
      const set = events ? { [name]: events } : {};
      const removed = events === null ? [name] : [];
      const change = { TableName, ...changeOfSettings(subscriber, set, removed) };
      if (headers === undefined) return succeeds(client.send(new UpdateCommand(change)));
      const update = headers ? assign({ [target]: headers }) : assign({}, [target]);
      const both = new TransactWriteCommand({
        TransactItems: [{ Update: change }, { Update: { TableName, Key: keys.headers(subscriber.id), ...update } }],
      });
      return changesBoth(subscriber, both);
    },

    getSecrets: (subscriber: string) => getRecord<SigningSecrets>(table, keys.secrets(subscriber)),

    async *listWithSecrets(workspace: string): AsyncGenerator<NumberWithSecrets> {
      let batch: Key[] = [];
      for await (const { pk, sk } of queryIndex(
        table,
        'gsi1',
        keys.workspace(workspace).pk,
        'NUMBER#',
        numbersAtOnce,
      )) {
        batch.push({ pk: String(pk), sk: String(sk) });
        if (batch.length < numbersAtOnce) continue;
        yield* await withSecrets(batch);
        batch = [];
      }
      yield* await withSecrets(batch);
    },

    createSecrets(subscriber: string, secrets: SigningSecrets): Promise<boolean> {
      const create = new PutCommand({
        TableName,
        Item: { ...keys.secrets(subscriber), ...secrets },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return succeeds(client.send(create));
    },

    replaceSecrets(subscriber: SubscriberKey, expected: string | undefined, secrets: SigningSecrets): Promise<boolean> {
      const unchanged =
        expected === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : {
              ConditionExpression: '#current = :expected',
              ExpressionAttributeNames: { '#current': 'current' },
              ExpressionAttributeValues: { ':expected': expected },
            };
      const replace = new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName, Item: { ...keys.secrets(subscriber.id), ...secrets }, ...unchanged } },
          { Update: { TableName, ...changeOfSettings(subscriber) } },
        ],
      });
      return changesBoth(subscriber, replace, ['ConditionalCheckFailed', 'TransactionConflict']);
    },

    addVersion,

    async countFailures(subscriber: string, target: Target, failures: readonly Failure[]): Promise<Breaker> {
      const { delivery, attempt } = required(failures[0]);
      const count = changeBreaker(
        'countFailures',
        subscriber,
        target,
        { attempt },
        {
          UpdateExpression:
            'SET first_delivery = if_not_exists(first_delivery, :delivery), last_counted = :attempt ADD failures :count',
          ExpressionAttributeValues: { ':delivery': delivery, ':attempt': attempt, ':count': failures.length },
        },
      );
      return unlessUnmet(count, ({ item }) => fromItem<Breaker>(item) ?? { failures: 0 });
    },

    async noteSlow(subscriber: Subscriber, target: Target, until: number, enough: number): Promise<void> {
      const { id } = subscriber;
      const key = isWorkspace(subscriber) ? keys.workspaceWebhook(id) : keys.number(id);
      // Read first: when a busy target becomes slow, all processes notice it in the same second.
      const stored = await getRecord<Subscriber>(table, key);
      if (stored?.[target] !== subscriber[target] || (stored?.[`${target}_slow_until`] ?? 0) > enough) return;
      const { ExpressionAttributeNames, ExpressionAttributeValues, ...update } = assign({
        [`${target}_slow_until`]: until,
      });
      const note = new UpdateCommand({
        TableName,
        Key: key,
        ...update,
        ConditionExpression: '#url = :url',
        ExpressionAttributeNames: { ...ExpressionAttributeNames, '#url': target },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':url': subscriber[target] ?? '' },
      });
      await succeeds(client.send(note));
    },

    async clearFailures(subscriber: string, target: Target): Promise<void> {
      await succeeds(
        changeBreaker('clearFailures', subscriber, target, {}, assign({ failures: 0 }, ['first_delivery'])),
      );
    },

    open(subscriber: string, target: Target, now: number, probeAt: number): Promise<Breaker> {
      const index = indexKeys.breaker(subscriber, target);
      const opened = { opened_at: now, probe_at: probeAt, probes: 0, number: subscriber, target, ...index };
      const open = changeBreaker('open', subscriber, target, {}, assign(opened, ['drain']));
      return unlessUnmet(open, ({ item }) => required(fromItem<Breaker>(item)));
    },

    takeProbe(
      subscriber: string,
      target: Target,
      { probe_at = 0 }: Breaker,
      now: number,
      nextProbeAt: number,
    ): Promise<boolean> {
      const take = changeBreaker(
        'takeProbe',
        subscriber,
        target,
        { now, probe_at },
        {
          UpdateExpression: 'SET probe_at = :next ADD probes :one',
          ExpressionAttributeValues: { ':next': nextProbeAt, ':one': 1 },
        },
      );
      return succeeds(take);
    },

    pause: (subscriber: string, target: Target, now: number): Promise<boolean> =>
      succeeds(changeBreaker('pause', subscriber, target, {}, assign({ paused_at: now }))),

    async noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void> {
      const update = assign({ announced: event.name }, event.isPause ? ['gsi1pk', 'gsi1sk'] : []);
      const transition = event.isPause ? 'notePauseAnnounced' : 'noteAnnounced';
      await succeeds(changeBreaker(transition, subscriber, target, {}, update));
    },

    startDraining(subscriber: string, target: Target, token: string, now: number): Promise<boolean> {
      const drain = { token, since: now, at: now };
      const draining = assign(
        { drain, failures: 0, ...indexKeys.breaker(subscriber, target) },
        ['opened_at', 'probe_at', 'probes', 'paused_at', 'first_delivery'],
        { last_opened_at: '#opened_at' },
      );
      return unlessUnmet(
        changeBreaker('startDraining', subscriber, target, {}, draining).then(() => true),
        // The client repeats a write whose response was lost.
        ({ item }) => fromItem<Breaker>(item)?.drain?.token === token,
      );
    },

    continueDraining(subscriber: string, target: Target, token: string, now: number, next = token): Promise<boolean> {
      const go = changeBreaker(
        'continueDraining',
        subscriber,
        target,
        { token },
        {
          UpdateExpression: 'SET #drain.#at = :now, #drain.#token = :next',
          ExpressionAttributeNames: { '#drain': 'drain', '#at': 'at', '#token': 'token' },
          ExpressionAttributeValues: { ':now': now, ':next': next },
        },
      );
      return succeeds(go);
    },

    async reset(subscriber: string, target: Target): Promise<void> {
      await succeeds(deleteBreaker('reset', subscriber, target, {}));
    },

    async endDraining(subscriber: string, target: Target, token: string): Promise<void> {
      await succeeds(deleteBreaker('endDraining', subscriber, target, { token }));
    },

    async *listTripped(): AsyncGenerator<TrippedTarget> {
      const found = queryIndex(table, 'gsi1', 'BREAKERS');
      for await (const breaker of readRecords<Breaker & { number: string; target: Target }>(table, found)) {
        yield { number: breaker.number, target: breaker.target, breaker };
      }
    },
  };
}

/**
 * An update of a subscriber's settings, which counts as a change of them. A number must exist; the settings of a
 * workspace begin with their first change.
 */
function changeOfSettings(
  subscriber: SubscriberKey,
  set: Readonly<Record<string, unknown>> = {},
  remove: readonly string[] = [],
  notes: readonly string[] = [],
) {
  const { id } = subscriber;
  if (isWorkspace(subscriber)) {
    const update = assign({ ...workspaceSubscriber({ id }), ...set }, remove);
    return { Key: keys.workspaceWebhook(id), ...withNewVersion(update, notes) };
  }
  return {
    Key: keys.number(id),
    ConditionExpression: 'attribute_exists(pk)',
    ...withNewVersion(assign(set, remove), notes),
  };
}

import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '#shared/base/cache.ts';
import { type PhoneNumber, type SigningSecrets, type Target, targets } from '#shared/domain/accounts/number.ts';
import type { Breaker } from '#shared/domain/deliveries/breaker.ts';
import type {
  DeliverySettings,
  NumberWithSecrets,
  TargetStore,
  TroubledTarget,
} from '#shared/domain/deliveries/target-store.ts';
import { assign } from './assign.ts';
import { batchGet, type Key, mostKeys } from './batch-get.ts';
import { unlessCanceled, unlessUnmet } from './condition.ts';
import { fromItem, getRecord, readRecords } from './item.ts';
import { indexKeys, keys } from './keys.ts';
import { queryIndex, queryPartition } from './query.ts';
import { withNewVersion } from './settings-version.ts';
import type { Table } from './table.ts';

const { sk: secretsSk } = keys.secrets('any');

/** Upstream ids whose number a process remembers. */
const rememberedNumbers = 10_000;

type BreakerUpdate = Omit<UpdateCommandInput, 'TableName' | 'Key' | 'ReturnValues'>;

/** The targets of numbers: URLs, signing secrets and breakers. */
export function targetStore(table: Table): TargetStore {
  const { client, name: TableName } = table;

  async function updateBreaker(number: string, target: Target, update: BreakerUpdate): Promise<Breaker> {
    const { Attributes } = await client.send(
      new UpdateCommand({ TableName, Key: keys.breaker(number, target), ReturnValues: 'ALL_NEW', ...update }),
    );
    const breaker = fromItem<Breaker>(Attributes);
    if (!breaker) throw new Error('DynamoDB returned no breaker');
    return breaker;
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
    async read(number: string): Promise<DeliverySettings | undefined> {
      const items = new Map<unknown, Record<string, unknown>>();
      for await (const item of queryPartition(table, keys.number(number).pk, '')) items.set(item.sk, item);
      const record = fromItem<PhoneNumber>(items.get(keys.number(number).sk));
      if (!record) return undefined;
      const breakers: DeliverySettings['breakers'] = {};
      for (const target of targets) {
        const breaker = fromItem<Breaker>(items.get(keys.breaker(number, target).sk));
        if (breaker) breakers[target] = breaker;
      }
      return { number: record, secrets: fromItem<SigningSecrets>(items.get(keys.secrets(number).sk)), breakers };
    },

    async findByPhoneNumberId(phoneNumberId: string): Promise<PhoneNumber | undefined> {
      const remembered = numberIds.get(phoneNumberId);
      const number = remembered && (await getRecord<PhoneNumber>(table, keys.number(remembered)));
      if (number && number.phone_number_id === phoneNumberId) return number;
      numberIds.delete(phoneNumberId);
      const found = await readNumberId(phoneNumberId);
      return found === undefined ? undefined : getRecord<PhoneNumber>(table, keys.number(found));
    },

    async setUrls(number: string, urls: Partial<Record<Target, string | null>>): Promise<PhoneNumber | undefined> {
      const set = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== null));
      const removed = Object.keys(urls).filter((target) => !(target in set));
      const notes = removed.map((target) => `${target}_removed_version`);
      const update = new UpdateCommand({
        TableName,
        Key: keys.number(number),
        ConditionExpression: 'attribute_exists(pk)',
        ReturnValues: 'ALL_NEW',
        ...withNewVersion(assign(set, removed), notes),
      });
      return unlessUnmet<PhoneNumber | undefined>(
        client.send(update).then(({ Attributes }) => fromItem<PhoneNumber>(Attributes)),
        () => undefined,
      );
    },

    getSecrets: (number: string) => getRecord<SigningSecrets>(table, keys.secrets(number)),

    async *listWithSecrets(workspace: string): AsyncGenerator<NumberWithSecrets> {
      let batch: Key[] = [];
      for await (const { pk, sk } of queryIndex(table, 'gsi1', keys.workspace(workspace).pk, 'NUMBER#')) {
        batch.push({ pk: String(pk), sk: String(sk) });
        if (batch.length < mostKeys / 2) continue;
        yield* await withSecrets(batch);
        batch = [];
      }
      yield* await withSecrets(batch);
    },

    createSecrets(number: string, secrets: SigningSecrets): Promise<boolean> {
      const create = new PutCommand({
        TableName,
        Item: { ...keys.secrets(number), ...secrets },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return unlessUnmet(
        client.send(create).then(() => true),
        () => false,
      );
    },

    replaceSecrets(number: string, expected: string | undefined, secrets: SigningSecrets): Promise<boolean> {
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
          { Put: { TableName, Item: { ...keys.secrets(number), ...secrets }, ...unchanged } },
          {
            Update: {
              TableName,
              Key: keys.number(number),
              ConditionExpression: 'attribute_exists(pk)',
              ...withNewVersion({}),
            },
          },
        ],
      });
      return unlessCanceled(client.send(replace), ['ConditionalCheckFailed', 'TransactionConflict']);
    },

    countFailure(number: string, target: Target, delivery: string, attempt: string): Promise<Breaker> {
      const count = updateBreaker(number, target, {
        UpdateExpression:
          'SET first_delivery = if_not_exists(first_delivery, :delivery), last_counted = :attempt ADD failures :one',
        ConditionExpression: 'attribute_not_exists(last_counted) OR last_counted <> :attempt',
        ExpressionAttributeValues: { ':delivery': delivery, ':attempt': attempt, ':one': 1 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet(count, ({ item }) => fromItem<Breaker>(item) ?? { failures: 0 });
    },

    async clearFailures(number: string, target: Target): Promise<void> {
      const clear = updateBreaker(number, target, {
        ...assign({ failures: 0 }, ['first_delivery']),
        ConditionExpression: 'attribute_exists(drain) AND attribute_not_exists(opened_at)',
      });
      await unlessUnmet<unknown>(clear, () => undefined);
    },

    open: (number: string, target: Target, now: number, probeAt: number) =>
      updateBreaker(
        number,
        target,
        assign({ opened_at: now, probe_at: probeAt, probes: 0, number, target, ...indexKeys.breaker(number, target) }, [
          'drain',
        ]),
      ),

    takeProbe(number: string, target: Target, breaker: Breaker, nextProbeAt: number): Promise<boolean> {
      const take = updateBreaker(number, target, {
        UpdateExpression: 'SET probe_at = :next ADD probes :one',
        ConditionExpression: 'attribute_exists(opened_at) AND probe_at = :expected',
        ExpressionAttributeValues: { ':next': nextProbeAt, ':expected': breaker.probe_at ?? 0, ':one': 1 },
      });
      return unlessUnmet(
        take.then(() => true),
        () => false,
      );
    },

    pause(number: string, target: Target, now: number): Promise<boolean> {
      const pause = updateBreaker(number, target, {
        ...assign({ paused_at: now }, ['gsi1pk', 'gsi1sk']),
        ConditionExpression: 'attribute_exists(opened_at) AND attribute_not_exists(paused_at)',
      });
      return unlessUnmet(
        pause.then(() => true),
        () => false,
      );
    },

    startDraining(number: string, target: Target, token: string, now: number): Promise<boolean> {
      const close = updateBreaker(number, target, {
        ...assign({ drain: { token, since: now, at: now }, failures: 0, ...indexKeys.breaker(number, target) }, [
          'opened_at',
          'probe_at',
          'probes',
          'paused_at',
          'first_delivery',
        ]),
        ConditionExpression: 'attribute_exists(#opened_at)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet(
        close.then(() => true),
        // The SDK repeats a write whose response was lost.
        ({ item }) => fromItem<Breaker>(item)?.drain?.token === token,
      );
    },

    continueDraining(number: string, target: Target, token: string, now: number, next = token): Promise<boolean> {
      const go = updateBreaker(number, target, {
        UpdateExpression: 'SET drain.#at = :now, drain.#token = :next',
        ConditionExpression: 'drain.#token = :token AND attribute_not_exists(opened_at)',
        ExpressionAttributeNames: { '#at': 'at', '#token': 'token' },
        ExpressionAttributeValues: { ':now': now, ':next': next, ':token': token },
      });
      return unlessUnmet(
        go.then(() => true),
        () => false,
      );
    },

    async reset(number: string, target: Target): Promise<void> {
      const forget = new DeleteCommand({
        TableName,
        Key: keys.breaker(number, target),
        ConditionExpression: 'attribute_not_exists(opened_at) AND attribute_not_exists(drain)',
      });
      await unlessUnmet<unknown>(client.send(forget), () => undefined);
    },

    async endDraining(number: string, target: Target, token: string): Promise<void> {
      const end = new DeleteCommand({
        TableName,
        Key: keys.breaker(number, target),
        ConditionExpression: 'drain.#token = :token AND attribute_not_exists(opened_at)',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: { ':token': token },
      });
      await unlessUnmet<unknown>(client.send(end), () => undefined);
    },

    async *listTroubled(): AsyncGenerator<TroubledTarget> {
      const found = queryIndex(table, 'gsi1', 'BREAKERS');
      for await (const breaker of readRecords<Breaker & { number: string; target: Target }>(table, found)) {
        yield { number: breaker.number, target: breaker.target, breaker };
      }
    },
  };
}

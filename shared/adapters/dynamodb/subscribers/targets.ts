import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '#shared/base/cache.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Target, TargetRecord } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings, StoredTargetChanges, TargetStore } from '#shared/domain/subscribers/target-store.ts';
import { assign } from '../table/assign.ts';
import { canceledFor, succeeds } from '../table/condition.ts';
import { getRecord } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { queryPartition } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { onCondition } from '../table/transition.ts';
import { settingsIn } from './subscriber-items.ts';
import { hasUrl, withNewVersion } from './target-writes.ts';

/** The maximum number of upstream ids whose number a process remembers. */
const maxNumbers = 10_000;

/** More tries than deliveries change a busy target at the very moment in which its URL and another one are set. */
const maxTries = 10;

export function targetStore(table: Table): TargetStore {
  const { client, name: TableName } = table;

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

  const change = (subscriber: string, target: Target, update: ReturnType<typeof withNewVersion>) => ({
    TableName,
    Key: keys.target(subscriber, target),
    ConditionExpression: 'attribute_exists(pk)',
    ...update,
  });

  /** Makes all of these changes or none. */
  async function changeTogether(changes: readonly ReturnType<typeof change>[]): Promise<boolean> {
    const TransactItems = changes.map((Update) => ({ Update }));
    for (let tries = 1; ; tries++) {
      try {
        await client.send(new TransactWriteCommand({ TransactItems }));
        return true;
      } catch (error) {
        const reasons = canceledFor(error);
        if (reasons.includes('ConditionalCheckFailed')) return false;
        if (tries === maxTries || !reasons.includes('TransactionConflict')) throw error;
      }
    }
  }

  return {
    read,

    async findByPhoneNumberId(phoneNumberId: string) {
      const remembered = numberIds.get(phoneNumberId);
      const found = remembered && (await readNumber(remembered, phoneNumberId));
      if (found) return found;
      numberIds.delete(phoneNumberId);
      const id = await readNumberId(phoneNumberId);
      return id === undefined ? undefined : readNumber(id, phoneNumberId);
    },

    setUrls(subscriber: string, urls: Partial<Record<Target, string | null>>): Promise<boolean> {
      const changes = Object.entries(urls).map(([target, url]) =>
        change(subscriber, target as Target, updateOfUrl(url)),
      );
      const [only, ...others] = changes;
      const isSingle = only !== undefined && others.length === 0;
      return isSingle ? succeeds(client.send(new UpdateCommand(only))) : changeTogether(changes);
    },

    changeTarget(
      subscriber: string,
      target: Target,
      { events, headers, version }: StoredTargetChanges,
    ): Promise<boolean> {
      const set = { ...(events && { events }), ...(headers && { headers }) };
      const removed = [...(events === null ? ['events'] : []), ...(headers === null ? ['headers'] : [])];
      const notes = headers === undefined ? [] : ['secrets_version'];
      const update = change(subscriber, target, withNewVersion(assign(set, removed), notes));
      const sameVersion = {
        ConditionExpression: '#version = :version',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':version': version },
      };
      return succeeds(client.send(new UpdateCommand({ ...update, ...(version !== undefined && sameVersion) })));
    },

    async noteNewSecrets(subscriber: string, targets: readonly Target[]): Promise<void> {
      const noted = withNewVersion(assign({}), ['secrets_version']);
      const updates = targets.map((target) => new UpdateCommand(change(subscriber, target, noted)));
      await Promise.all(updates.map((update) => succeeds(client.send(update))));
    },

    async noteSlow(subscriber: string, target: Target, { url, until, enough }): Promise<void> {
      // Read first: when a busy target becomes slow, all processes notice it in the same second.
      const stored = await getRecord<TargetRecord>(table, keys.target(subscriber, target));
      if (stored?.url !== url || (stored.slow_until ?? 0) > enough) return;
      const note = onCondition(assign({ slow_until: until }), hasUrl(url));
      await succeeds(client.send(new UpdateCommand({ TableName, Key: keys.target(subscriber, target), ...note })));
    },
  };
}

/** The update that sets a URL, or removes it and notes the version with which it was removed. */
const updateOfUrl = (url: string | null) =>
  url === null
    ? withNewVersion(assign({}, ['url', 'slow_until']), ['removed_version'])
    : withNewVersion(assign({ url }, ['slow_until']));

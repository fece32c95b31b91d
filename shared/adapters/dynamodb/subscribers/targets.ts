import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '#shared/base/cache.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { StoredHeaders } from '#shared/domain/subscribers/receiver-headers.ts';
import type { Target, TargetRecord } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings, StoredTargetChanges, TargetStore } from '#shared/domain/subscribers/target-store.ts';
import { assign } from '../table/assign.ts';
import { succeeds } from '../table/condition.ts';
import { getRecord } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { queryPartition } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { onCondition } from '../table/transition.ts';
import { writeTogether } from '../table/write-together.ts';
import { settingsIn } from './subscriber-items.ts';
import { hasUrl, newVersionOf, withNewVersion } from './target-writes.ts';

/** The maximum number of upstream ids whose number a process remembers. */
const maxNumbers = 10_000;

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
        newVersionOf(table, subscriber, target as Target, updateOfUrl(url)),
      );
      return writeTogether(table, changes);
    },

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

import { groupsOf } from '#shared/base/each.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { NumberWithSecrets, SecretStore, SubscriberSecrets } from '#shared/domain/subscribers/secret-store.ts';
import type { SigningSecrets } from '#shared/domain/subscribers/signing-secrets.ts';
import type { Subscriber } from '#shared/domain/subscribers/subscriber.ts';
import { targetsOf } from '#shared/domain/subscribers/target.ts';
import { assign } from '../table/assign.ts';
import { batchGet } from '../table/batch-get.ts';
import { fromItem, getRecord } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { queryIndex } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { onCondition } from '../table/transition.ts';
import { writeTogether } from '../table/write-together.ts';
import { newVersionOf, withNewVersion } from './target-writes.ts';

/** How many numbers of a workspace are read at once with their secrets: the caller usually stops at twenty. */
const numbersAtOnce = 25;

export function secretStore(table: Table): SecretStore {
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
    get: (subscriber: string) => getRecord<SubscriberSecrets>(table, keys.secrets(subscriber)),

    async *listByWorkspace(workspace: string): AsyncGenerator<NumberWithSecrets> {
      const { pk } = keys.workspace(workspace);
      const found = queryIndex(table, 'gsi1', pk, numberPrefix, numbersAtOnce);
      for await (const group of groupsOf(found, numbersAtOnce)) {
        yield* await withSecrets(group.map(({ gsi1sk }) => String(gsi1sk).slice(numberPrefix.length)));
      }
    },

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

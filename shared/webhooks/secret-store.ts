import { fromItem, getRecord } from '#shared/aws/item.ts';
import { keys } from '#shared/aws/keys.ts';
import { queryIndex } from '#shared/aws/query.ts';
import { batchGet, type Table, writeTogether } from '#shared/aws/table.ts';
import { onCondition } from '#shared/aws/transition.ts';
import { assign } from '#shared/aws/update.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import type { PhoneNumber } from './number.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { Subscriber } from './subscriber.ts';
import { type Target, targetsOf } from './target.ts';
import { newVersionOf, withNewVersion } from './target-store.ts';

/** What of a subscriber only those may read that sign or rotate. */
export interface SubscriberSecrets extends SigningSecrets {
  /** The receivers' own headers, by target. */
  headers: Partial<Record<Target, StoredHeaders>>;
}

export interface NumberWithSecrets {
  number: PhoneNumber;
  secrets: SigningSecrets;
}

/** The secrets of subscribers, which begin with the subscriber. */
export interface SecretStore {
  /** Reads the secrets, consistently; `undefined` when the subscriber does not exist. */
  get(subscriber: string): Promise<SubscriberSecrets | undefined>;
  /** Reads the numbers of a workspace with their secrets, consistently: one query, then 25 numbers in each call. */
  listByWorkspace(workspace: string): AsyncGenerator<NumberWithSecrets>;
  /**
   * Replaces the signing secrets if the current one is `expected`, and notes that for each target of the subscriber, in
   * one write: every process then reads them again. `false` when another request changed them meanwhile, or this write
   * is a repeat.
   */
  replace(
    subscriber: Pick<Subscriber, 'id' | 'workspace'>,
    expected: string,
    secrets: SigningSecrets,
  ): Promise<boolean>;
}

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

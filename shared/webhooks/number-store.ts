import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { getRecord, getRecords, queryIndex, queryPartition, type Table } from '#shared/aws/table.ts';
import { assign, createItems, deleteItem, updateExisting } from '#shared/aws/write.ts';
import type { PhoneNumber } from './subscriber.ts';
import { itemsOfNewSubscriber } from './subscriber-store.ts';
import { createSecret } from './webhook-signature.ts';

export type NumberStore = ReturnType<typeof numberStore>;

/** Stores phone numbers, by id and by workspace. Each upstream phone number id occurs at most once. */
export function numberStore(table: Table) {
  return {
    /**
     * Creates a number with its targets and this signing secret, by default a new one. Resolves with `false` when the
     * upstream's phone number id already belongs to a number.
     */
    create(number: PhoneNumber, secret: string = createSecret()): Promise<boolean> {
      const numberItem = {
        ...keys.number(number.id),
        ...indexKeys.numberOfWorkspace(number.workspace, number.id),
        ...number,
      };
      const claim = { ...keys.phoneNumberId(number.phone_number_id), number: number.id };
      return createItems(table, [numberItem, claim, ...itemsOfNewSubscriber(number, secret)]);
    },

    get: (number: string) => getRecord<PhoneNumber>(table, keys.number(number)),

    listByWorkspace: (workspace: string) =>
      getRecords<PhoneNumber>(table, queryIndex(table, 'gsi1', keys.workspace(workspace).pk, 'NUMBER#')),

    /**
     * Switches a number or its calling on or off, or changes its display number. Resolves with `false` when the number
     * does not exist.
     */
    set(
      number: string,
      switched: Partial<Pick<PhoneNumber, 'active' | 'calling_enabled' | 'display_phone_number'>>,
    ): Promise<boolean> {
      return updateExisting(table, keys.number(number), assign(switched));
    },

    /**
     * Deletes a number with its targets and secrets, and frees its phone number id. It deletes the number itself last, so
     * that a failed deletion can be repeated.
     */
    async delete({ id, phone_number_id }: PhoneNumber): Promise<void> {
      const own = keys.number(id);
      for (const partition of [own.pk, keys.secrets(id).pk]) {
        for await (const { pk, sk } of queryPartition(table, partition)) {
          if (sk !== own.sk) await deleteItem(table, { pk: String(pk), sk: String(sk) });
        }
      }
      await deleteItem(table, keys.eventNote(id));
      const TableName = table.name;
      const claim = { TableName, Key: keys.phoneNumberId(phone_number_id) };
      const remove = new TransactWriteCommand({
        TransactItems: [{ Delete: { TableName, Key: own } }, { Delete: claim }],
      });
      await table.client.send(remove);
    },
  };
}

import { DeleteCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { NumberStore } from '#shared/domain/subscribers/number-store.ts';
import { assign } from '../table/assign.ts';
import { succeeds } from '../table/condition.ts';
import { createItems } from '../table/create-item.ts';
import { getRecord, getRecords } from '../table/item.ts';
import { indexKeys, keys } from '../table/keys.ts';
import { queryIndex, queryPartition } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { itemsOfNewSubscriber } from './subscriber-items.ts';

export function numberStore(table: Table): NumberStore {
  return {
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

    set(number, switched) {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.number(number),
        ConditionExpression: 'attribute_exists(pk)',
        ...assign(switched),
      });
      return succeeds(table.client.send(update));
    },

    /** Deletes the number itself last, so that a failed deletion can be repeated. */
    async delete({ id, phone_number_id }: PhoneNumber): Promise<void> {
      const TableName = table.name;
      const own = keys.number(id);
      for await (const { pk, sk } of queryPartition(table, own.pk)) {
        if (sk !== own.sk) await table.client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
      }
      await table.client.send(new DeleteCommand({ TableName, Key: keys.secrets(id) }));
      await table.client.send(new DeleteCommand({ TableName, Key: keys.eventNote(id) }));
      const claim = { TableName, Key: keys.phoneNumberId(phone_number_id) };
      const remove = new TransactWriteCommand({
        TransactItems: [{ Delete: { TableName, Key: own } }, { Delete: claim }],
      });
      await table.client.send(remove);
    },
  };
}

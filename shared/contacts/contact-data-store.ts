import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { hashToken } from '#shared/accounts/token.ts';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, type Key, required, type StoredItem, scanTable, type Table } from '#shared/aws/table.ts';
import { deleteItem, succeeds } from '#shared/aws/write.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { KeyedRequest } from '#shared/idempotency/keyed-request-store.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';

/** An item of the table by what it means for the data of a contact. */
export type ContactItem =
  | { kind: 'delivery'; record: Delivery }
  | { kind: 'sent-flow'; record: SentFlow }
  | { kind: 'keyed-request'; key: Key; record: KeyedRequest }
  /** Nothing else names a contact, unless a customer wrote it there. */
  | { kind: 'other'; key: Key; record: Readonly<Record<string, unknown>> };

export type ContactData = ReturnType<typeof contactData>;

/** Reads and removes what the table has about contacts. Only an operator does this: it reads the whole table. */
export function contactData(table: Table) {
  return {
    async *scan(): AsyncGenerator<ContactItem> {
      for await (const item of scanTable(table)) yield contactItem(item);
    },

    async removeDelivery(delivery: Delivery): Promise<void> {
      const { subscriber, target, id } = delivery;
      await deleteItem(table, keys.delivery(subscriber, target, id));
    },

    async removeSentFlow({ token_hash, message }: SentFlow): Promise<void> {
      if (message !== undefined) await deleteItem(table, keys.messageOfSentFlow(hashToken(message)));
      await deleteItem(table, keys.sentFlow(token_hash));
    },

    /** Keeps the status, so that the request is still not carried out again. */
    async removeResponseContent(key: Key): Promise<void> {
      const removal = new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: 'SET #response.headers = :none REMOVE #response.body',
        ConditionExpression: 'attribute_exists(#response)',
        ExpressionAttributeNames: { '#response': 'response' },
        ExpressionAttributeValues: { ':none': {} },
      });
      await succeeds(table.client.send(removal));
    },

    removeMediaCopy: (number: string, media: string) => deleteItem(table, keys.mediaCopy(number, media)),
  };
}

function contactItem(item: StoredItem): ContactItem {
  const key = { pk: item.pk, sk: item.sk };
  const [kind] = item.pk.split('#', 1);
  const record = <T>() => required(fromItem<T>(item));
  if (kind === 'DELIVERIES') return { kind: 'delivery', record: record<Delivery>() };
  if (item.sk === 'SENT_FLOW') return { kind: 'sent-flow', record: record<SentFlow>() };
  if (kind === 'KEYED_REQUEST') return { kind: 'keyed-request', key, record: record<KeyedRequest>() };
  return { kind: 'other', key, record: record() };
}

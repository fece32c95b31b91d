import type { BlobStore } from '#shared/aws/bucket.ts';
import type { ContactData, ContactItem } from '#shared/contacts/contact-data-store.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';

/** Where the data of contacts is. */
export interface ContactStorage {
  table: ContactData;
  bucket: Pick<BlobStore, 'get' | 'delete'> & { list(prefix: string): AsyncIterable<string> };
}

/** What names a contact. */
export interface Found {
  /** All ids of the person that the service knows. */
  ids: ReadonlySet<string>;
  deliveries: Delivery[];
  /** Objects below `notifications/`. */
  notifications: Set<string>;
  sentFlows: SentFlow[];
  /** The responses that are kept for an `Idempotency-Key`. */
  responses: (ContactItem & { kind: 'keyed-request' })['key'][];
  /** The copies of files, as `number/media`. */
  files: Set<string>;
  /** What customers wrote that names the contact; it is left. */
  left: string[];
}

/**
 * Removes what was found, in an order in which the command can be repeated after a failure. Files go first, because only
 * the events say whose they are. An item goes before its object in the bucket, because the search also finds an object
 * that has lost its item.
 */
export async function erase({ table, bucket }: ContactStorage, found: Found): Promise<void> {
  for (const file of found.files) {
    const [number = '', media = ''] = file.split('/');
    await table.removeMediaCopy(number, media);
    for await (const key of bucket.list(`media/${file}/`)) await bucket.delete(key);
  }
  for (const delivery of found.deliveries) await table.removeDelivery(delivery);
  for (const sent of found.sentFlows) await table.removeSentFlow(sent);
  for (const key of found.responses) await table.removeResponseContent(key);
  for (const key of found.notifications) await bucket.delete(key);
}

const isUndelivered = ({ state }: Delivery) => ['waiting', 'held', 'sending'].includes(state);

/** How much was found, by kind. */
export function summary({ deliveries, notifications, sentFlows, responses, files, left }: Found) {
  return {
    notifications: deliveries.length,
    of_these_not_yet_delivered: deliveries.filter(isUndelivered).length,
    large_notifications_in_the_bucket: notifications.size,
    copies_of_files: files.size,
    sent_flows: sentFlows.length,
    responses_kept_for_an_idempotency_key: responses.length,
    left_because_customers_wrote_it: left.length,
  };
}

import type { ContactData, ContactItem } from '#shared/adapters/dynamodb/contact-data.ts';
import type { BlobStore } from '#shared/adapters/s3/blobs.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { SentFlow } from '#shared/domain/sent-flows/sent-flow.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { Rejection } from '../terminal/failures.ts';
import { contactId, mediaOf, namesContact, otherIds } from './identity.ts';

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
  media: { number: string; media: string }[];
  /** Objects below `media/`. */
  files: string[];
  /** What customers wrote that names the contact; it is left. */
  left: string[];
}

/** The numbers and workspaces to which the search is limited; without them, everything is searched. */
export type Scope = ReadonlySet<string> | undefined;

/**
 * Finds everything that names a person. Where an item gives the person another id, such as the user id beside the phone
 * number, the search begins again with both.
 */
export async function findContact(storage: ContactStorage, id: string, scope: Scope): Promise<Found> {
  const ids = new Set([id]);
  for (;;) {
    const idsBefore = ids.size;
    const found = await search(storage, ids, scope);
    if (ids.size === idsBefore) return found;
  }
}

interface Search {
  /** Grows while the search learns. */
  ids: Set<string>;
  scope: Scope;
  found: Found;
}

async function search({ table, bucket }: ContactStorage, ids: Set<string>, scope: Scope): Promise<Found> {
  const lists = { deliveries: [], sentFlows: [], responses: [], media: [], files: [], left: [] };
  const found: Found = { ids, notifications: new Set(), ...lists };
  const state: Search = { ids, scope, found };
  for await (const key of bucket.list('notifications/')) {
    const [, subscriber = ''] = key.split('/');
    const text = isInScope(scope, subscriber) ? await bucket.get(key) : undefined;
    if (text === undefined || !namesContact(text, ids)) continue;
    found.notifications.add(key);
    readNotification(state, subscriber, text);
  }
  for await (const item of table.scan()) visit(state, item);
  for (const { number, media } of found.media) {
    for await (const key of bucket.list(`media/${number}/${media}/`)) found.files.push(key);
  }
  return found;
}

const isInScope = (scope: Scope, id: string) => scope === undefined || scope.has(id);

/** Learns the other ids of the person, and which files are theirs. */
function readNotification({ ids, found }: Search, number: string, json: string): void {
  for (const other of otherIds(json, ids)) ids.add(other);
  for (const media of mediaOf(json, ids)) found.media.push({ number, media });
}

function visit(search: Search, item: ContactItem): void {
  switch (item.kind) {
    case 'delivery':
      visitDelivery(search, item.record);
      break;
    case 'sent-flow':
      visitSentFlow(search, item.record);
      break;
    case 'keyed-request':
      visitKeyedRequest(search, item);
      break;
    case 'number':
      rejectOwnNumber(search, item.record);
      break;
    default:
      visitOther(search, item);
  }
}

function visitSentFlow({ ids, scope, found }: Search, sent: SentFlow): void {
  if (isInScope(scope, sent.number) && namesContact(JSON.stringify(sent), ids)) found.sentFlows.push(sent);
}

function visitOther({ ids, scope, found }: Search, { key, record }: ContactItem & { kind: 'other' }): void {
  if (scope === undefined && namesContact(JSON.stringify(record), ids)) found.left.push(key.pk);
}

function visitDelivery(search: Search, delivery: Delivery): void {
  const { ids, scope, found } = search;
  if (!isInScope(scope, delivery.subscriber)) return;
  const { payload, ...others } = delivery;
  const text = 'text' in payload ? payload.text : '';
  const isInBucket = 'blob' in payload && found.notifications.has(payload.blob);
  if (!isInBucket && !namesContact(text, ids) && !namesContact(JSON.stringify(others), ids)) return;
  found.deliveries.push(delivery);
  readNotification(search, delivery.subscriber, text);
}

/** A keyed request does not say to which number or workspace it belongs. */
function visitKeyedRequest(
  { ids, scope, found }: Search,
  { key, record }: ContactItem & { kind: 'keyed-request' },
): void {
  const body = record.response?.body ?? '';
  if (!namesContact(body, ids)) return;
  for (const other of otherIds(body, ids)) ids.add(other);
  if (scope) found.left.push('a response kept for an Idempotency-Key');
  else found.responses.push(key);
}

/** The service's own number is in every notification of it. */
function rejectOwnNumber({ ids }: Search, { id, phone_number_id, display_phone_number }: PhoneNumber): void {
  if (ids.has(phone_number_id) || ids.has(contactId(display_phone_number) ?? '')) {
    throw new Rejection(`${display_phone_number} is number ${id} of this service, not a contact.`);
  }
}

/**
 * Removes what was found. An item goes before its object in the bucket, because the search also finds an object that
 * has lost its item, so that the command can be repeated after a failure.
 */
export async function erase({ table, bucket }: ContactStorage, found: Found): Promise<void> {
  for (const delivery of found.deliveries) await table.removeDelivery(delivery);
  for (const sent of found.sentFlows) await table.removeSentFlow(sent);
  for (const key of found.responses) await table.removeResponseBody(key);
  for (const { number, media } of found.media) await table.removeMediaCopy(number, media);
  for (const key of [...found.files, ...found.notifications]) await bucket.delete(key);
}

const isUndelivered = ({ state }: Delivery) => ['waiting', 'held', 'sending'].includes(state);

/** How much was found, by kind. */
export function summary({ deliveries, notifications, sentFlows, responses, files, left }: Found) {
  return {
    notifications: deliveries.length,
    of_these_not_yet_delivered: deliveries.filter(isUndelivered).length,
    large_notifications_in_the_bucket: notifications.size,
    copies_of_files: files.length,
    sent_flows: sentFlows.length,
    responses_kept_for_an_idempotency_key: responses.length,
    left_because_customers_wrote_it: left.length,
  };
}

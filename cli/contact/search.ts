import type { Workspace } from '#shared/accounts/workspace.ts';
import type { BlobStore } from '#shared/aws/bucket.ts';
import { own } from '#shared/base/json.ts';
import type { ContactData, ContactItem } from '#shared/contacts/contact-data-store.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { flowFilesId } from '#shared/flow-endpoint/file-address.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { Rejection } from '../terminal/errors.ts';
import { fileIdsOf, linkedIds, namesContact, readJson } from './identity.ts';
import { phoneNumberOf } from './written-ids.ts';

type OfWorkspace = Pick<Workspace, 'id' | 'own_credentials'>;
type OfNumber = Pick<PhoneNumber, 'id' | 'workspace' | 'phone_number_id' | 'display_phone_number'>;

/** The subscribers of each number and workspace, and the numbers and accounts of the service itself. */
type Places = ReturnType<typeof placesOf>;

export function placesOf(workspaces: readonly OfWorkspace[], numbers: readonly OfNumber[]) {
  const workspaceOf = new Map(numbers.map(({ id, workspace }) => [id, workspace]));
  const sharesApp = new Map(workspaces.map(({ id, own_credentials }) => [id, own_credentials !== true]));
  return {
    /**
     * The app whose events the subscriber gets: that of the deployment, or one of its workspace. What was removed here is
     * nobody's.
     */
    appOf(subscriber: string): string {
      const workspace = workspaceOf.get(subscriber) ?? subscriber;
      return sharesApp.get(workspace) ? 'deployment' : workspace;
    },

    /**
     * The numbers and workspaces whose files an event of the subscriber may name. A workspace gets events of all its
     * numbers, and has the files of Flows that other systems sent from them.
     */
    ownersOf(subscriber: string): string[] {
      const ofWorkspace = numbers.filter(({ workspace }) => workspace === subscriber).map(({ id }) => id);
      return [subscriber, workspaceOf.get(subscriber) ?? [], ofWorkspace].flat();
    },

    /** The number of this service that an id stands for. */
    ownNumber: (id: string) =>
      numbers.find(
        ({ phone_number_id, display_phone_number }) =>
          id === phone_number_id || id === phoneNumberOf(display_phone_number),
      ),
  };
}

/** The numbers and workspaces to which the search is limited; without them, everything is searched. */
export type Scope = ReadonlySet<string> | undefined;

/**
 * Finds everything that names a person. Where an item gives the person another id, such as the user id beside the phone
 * number, the search begins again with both.
 */
export async function findContact(storage: ContactStorage, places: Places, id: string, scope: Scope): Promise<Found> {
  const own = places.ownNumber(id);
  // The service's own number is in events of all its contacts.
  if (own) throw new Rejection(`${own.display_phone_number} is number ${own.id} of this service, not a contact.`);
  const ids = idsOfPerson(id, places);
  for (;;) {
    const idsBefore = ids.count();
    const found = await search(storage, { places, ids, scope });
    if (ids.count() === idsBefore) return found;
  }
}

/**
 * The ids of a person, which grow while the search learns. What the events of an app say counts only where that app may
 * speak, so that it cannot lead the search to contacts of others.
 */
function idsOfPerson(id: string, { appOf, ownNumber }: Places) {
  const byApp = new Map<string, Set<string>>();
  function of(subscriber: string): Set<string> {
    const app = appOf(subscriber);
    const ids = byApp.get(app) ?? new Set([id]);
    byApp.set(app, ids);
    return ids;
  }
  return {
    of,
    learn(subscriber: string, event: unknown): void {
      const ids = of(subscriber);
      for (const linked of linkedIds(event, ids)) if (!ownNumber(linked)) ids.add(linked);
    },
    count: () => [...byApp.values()].reduce((sum, { size }) => sum + size - 1, 1),
    all: () => new Set([id, ...[...byApp.values()].flatMap((ids) => [...ids])]),
  };
}

interface Search {
  places: Places;
  ids: ReturnType<typeof idsOfPerson>;
  scope: Scope;
  /** All copies of files, as `number/media`. */
  copies: ReadonlySet<string>;
  found: Omit<Found, 'ids'>;
}

async function search(
  { table, bucket }: ContactStorage,
  options: Pick<Search, 'places' | 'ids' | 'scope'>,
): Promise<Found> {
  const { ids, scope } = options;
  const lists = { deliveries: [], sentFlows: [], responses: [], left: [] };
  const found = { notifications: new Set<string>(), files: new Set<string>(), ...lists };
  const visit: Search = { ...options, found, copies: await readCopies(bucket, scope) };
  for await (const key of bucket.list('notifications/')) {
    const [, subscriber = ''] = key.split('/');
    const text = isInScope(scope, subscriber) ? await bucket.get(key) : undefined;
    if (text === undefined) continue;
    const event = readJson(text);
    if (!namesContact(event, ids.of(subscriber))) continue;
    found.notifications.add(key);
    visitEvent(visit, subscriber, event);
  }
  for await (const item of table.scan()) visitItem(visit, item);
  return { ...found, ids: ids.all() };
}

async function readCopies({ list }: ContactStorage['bucket'], scope: Scope): Promise<Set<string>> {
  const copies = new Set<string>();
  for await (const object of list('media/')) {
    const [, number = '', media = ''] = object.split('/');
    if (isInScope(scope, number)) copies.add(`${number}/${media}`);
  }
  return copies;
}

const isInScope = (scope: Scope, id: string) => scope === undefined || scope.has(id);

/** Learns the other ids of the person, and which files are theirs. */
function visitEvent({ places, ids, found, copies }: Search, subscriber: string, event: unknown): void {
  ids.learn(subscriber, event);
  for (const id of fileIdsOf(event, ids.of(subscriber))) {
    for (const owner of places.ownersOf(subscriber)) {
      const copy = `${owner}/${id}`;
      if (copies.has(copy)) found.files.add(copy);
    }
  }
}

function visitItem(visit: Search, item: ContactItem): void {
  const { ids, scope, found } = visit;
  switch (item.kind) {
    case 'delivery':
      visitDelivery(visit, item.record);
      break;
    case 'keyed-request':
      visitKeyedRequest(visit, item);
      break;
    case 'sent-flow': {
      const { number, contact, message, token_hash } = item.record;
      if (!isInScope(scope, number) || !namesContact([contact, message], ids.of(number))) break;
      found.sentFlows.push(item.record);
      const copy = `${number}/${flowFilesId(token_hash)}`;
      if (visit.copies.has(copy)) found.files.add(copy);
      break;
    }
    case 'other':
      if (scope === undefined && namesContact(item.record, ids.all())) found.left.push(item.key.pk);
  }
}

function visitDelivery(visit: Search, delivery: Delivery): void {
  const { ids, scope, found } = visit;
  const { subscriber, payload, attempts, sent_flow } = delivery;
  if (!isInScope(scope, subscriber)) return;
  const event = 'text' in payload ? readJson(payload.text) : undefined;
  const isInBucket = 'blob' in payload && found.notifications.has(payload.blob);
  const texts = [event, sent_flow, ...attempts.map(({ excerpt }) => excerpt)];
  if (!isInBucket && !namesContact(texts, ids.of(subscriber))) return;
  // Do not link ids from a final response: anyone with the flow token, even the Flow's endpoint, can complete a Flow.
  found.deliveries.push(delivery);
  if ('blob' in payload) found.notifications.add(payload.blob);
  visitEvent(visit, subscriber, event);
}

/**
 * The platform tells the ids of a recipient. What else a response has, a customer may have written. The id of a call, in a
 * header, names the contact.
 */
function visitKeyedRequest(
  { ids, scope, found }: Search,
  { key, record }: ContactItem & { kind: 'keyed-request' },
): void {
  const { subscriber = '', response } = record;
  const body = readJson(response?.body ?? '');
  if (!isInScope(scope, subscriber) || !namesContact([body, response?.headers], ids.of(subscriber))) return;
  found.responses.push(key);
  ids.learn(subscriber, own(body, 'contacts'));
}

/** The places that hold data of contacts. */
export interface ContactStorage {
  table: ContactData;
  bucket: Pick<BlobStore, 'get' | 'delete'> & { list(prefix: string): AsyncIterable<string> };
}

/** Everything that names a contact. */
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
  /** Texts of customers that name the contact. They are not removed. */
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

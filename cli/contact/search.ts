import type { ContactItem } from '#shared/adapters/dynamodb/contact-data.ts';
import { own } from '#shared/base/json/json-object.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { SentFlow } from '#shared/domain/sent-flows/sent-flow.ts';
import { Rejection } from '../terminal/errors.ts';
import type { ContactStorage, FileCopy, Found } from './erasure.ts';
import { fileIdsOf, linkedIds, namesContact, readJson } from './identity.ts';
import type { Places } from './places.ts';

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
}

/** The copies by media id: only a few large files have one. */
type Copies = ReadonlyMap<string, readonly FileCopy[]>;

type Visit = Search & { found: Omit<Found, 'ids'>; copies: Copies };

async function search({ table, bucket }: ContactStorage, options: Search): Promise<Found> {
  const lists = { deliveries: [], sentFlows: [], responses: [], left: [] };
  const found = { notifications: new Set<string>(), files: new Set<FileCopy>(), ...lists };
  const visit: Visit = { ...options, found, copies: await readCopies(bucket, options.scope) };
  for await (const key of bucket.list('notifications/')) {
    const [, subscriber = ''] = key.split('/');
    const text = isInScope(options.scope, subscriber) ? await bucket.get(key) : undefined;
    if (text === undefined) continue;
    const event = readJson(text);
    if (!namesContact(event, options.ids.of(subscriber))) continue;
    found.notifications.add(key);
    visitEvent(visit, subscriber, event);
  }
  for await (const item of table.scan()) visitItem(visit, item);
  return { ...found, ids: options.ids.all() };
}

async function readCopies({ list }: ContactStorage['bucket'], scope: Scope): Promise<Copies> {
  const copies = new Map<string, FileCopy>();
  for await (const object of list('media/')) {
    const [, number = '', media = ''] = object.split('/');
    if (!isInScope(scope, number)) continue;
    const copy = copies.get(`${number}/${media}`) ?? { number, media, objects: [] };
    copies.set(`${number}/${media}`, copy);
    copy.objects.push(object);
  }
  return Map.groupBy(copies.values(), ({ media }) => media);
}

const isInScope = (scope: Scope, id: string) => scope === undefined || scope.has(id);

/** Learns the other ids of the person, and which files are theirs. */
function visitEvent({ places, ids, found, copies }: Visit, subscriber: string, event: unknown): void {
  ids.learn(subscriber, event);
  const numbers = places.numbersOf(subscriber);
  for (const id of fileIdsOf(event, ids.of(subscriber))) {
    for (const copy of copies.get(id) ?? []) if (numbers.includes(copy.number)) found.files.add(copy);
  }
}

function visitItem(visit: Visit, item: ContactItem): void {
  switch (item.kind) {
    case 'delivery':
      visitDelivery(visit, item.record);
      break;
    case 'sent-flow':
      visitSentFlow(visit, item.record);
      break;
    case 'keyed-request':
      visitKeyedRequest(visit, item);
      break;
    default:
      visitOther(visit, item);
  }
}

function visitSentFlow({ ids, scope, found }: Visit, sent: SentFlow): void {
  const { number, contact, message } = sent;
  if (isInScope(scope, number) && namesContact([contact, message], ids.of(number))) found.sentFlows.push(sent);
}

function visitOther({ ids, scope, found }: Visit, { key, record }: ContactItem & { kind: 'other' }): void {
  if (scope === undefined && namesContact(record, ids.all())) found.left.push(key.pk);
}

function visitDelivery(visit: Visit, delivery: Delivery): void {
  const { ids, scope, found } = visit;
  const { subscriber, payload, attempts, sent_flow } = delivery;
  if (!isInScope(scope, subscriber)) return;
  const event = 'text' in payload ? readJson(payload.text) : undefined;
  const isInBucket = 'blob' in payload && found.notifications.has(payload.blob);
  const texts = [event, sent_flow, ...attempts.map(({ excerpt }) => excerpt)];
  if (!isInBucket && !namesContact(texts, ids.of(subscriber))) return;
  // Whose Flow a message completes links no ids: who has the flow token, as the Flow's endpoint does, may complete it.
  found.deliveries.push(delivery);
  if ('blob' in payload) found.notifications.add(payload.blob);
  visitEvent(visit, subscriber, event);
}

/**
 * The platform tells the ids of a recipient. What else a response has, a customer may have written. The id of a call, in a
 * header, names the contact.
 */
function visitKeyedRequest(
  { ids, scope, found }: Visit,
  { key, record }: ContactItem & { kind: 'keyed-request' },
): void {
  const { subscriber = '', response } = record;
  const body = readJson(response?.body ?? '');
  if (!isInScope(scope, subscriber) || !namesContact([body, response?.headers], ids.of(subscriber))) return;
  found.responses.push(key);
  ids.learn(subscriber, own(body, 'contacts'));
}

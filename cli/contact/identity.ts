import { hashToken } from '#shared/accounts/token.ts';
import { isContainer, isObject, type JsonObject, listOf, parseExactJson, parseJson } from '#shared/base/json.ts';
import { flowFilesId } from '#shared/flow-endpoint/file-address.ts';
import { idOf } from '#shared/ingestion/normalise.ts';
import { isUserId } from '#shared/messages/recipient.ts';
import { idsIn, phoneNumberOf } from './written-ids.ts';

/*
 * What an event, or another JSON value that the service keeps, says about a person: whether it names them, which ids
 * are theirs, and which files.
 */

type Ids = ReadonlySet<string>;

/** Whether a JSON value names the person with one of these ids, in any text. */
export function namesContact(value: unknown, ids: Ids): boolean {
  for (const [name, leaf] of leavesIn(value)) {
    for (const text of [name, leaf]) for (const id of idsIn(text)) if (ids.has(id)) return true;
  }
  return false;
}

/** The names of members that identify one person; each counts only in its form. */
interface Role {
  readonly phones: readonly string[];
  readonly userIds: readonly string[];
}

const roleOf = (phone: string, prefix: string): Role => ({
  phones: [phone],
  userIds: [`${prefix}_user_id`, `${prefix}_parent_user_id`],
});

/** A contact, or what a system message, a handover or a contact list says about one: also the ids from before. */
const contact: Role = {
  phones: ['wa_id', 'input', 'phone_number', 'new_wa_id', 'customer'],
  userIds: ['user_id', 'input', 'parent_user_id', 'previous_user_id', 'previous_parent_user_id'],
};
const sender = roleOf('from', 'from');
const callee: Role = { phones: ['to'], userIds: ['recipient', 'to_user_id', 'to_parent_user_id'] };
const recipient: Role = {
  phones: ['recipient_id'],
  userIds: ['recipient_user_id', 'recipient_parent_user_id', 'parent_recipient_user_id'],
};
const participants = ['recipient_participant', 'participant_recipient'].map((name) => roleOf(`${name}_id`, name));

const roles = [contact, sender, callee, recipient, ...participants];

/** The ids that an event gives to the person with one of these ids, these among them. */
export function linkedIds(event: unknown, ids: Ids): Set<string> {
  const found = new Set<string>();
  for (const object of objectsIn(event)) {
    for (const person of peopleIn(object)) {
      if (person.some((id) => ids.has(id))) for (const id of person) found.add(id);
    }
  }
  return found;
}

/** The ids of each person whom an object identifies. */
function peopleIn(object: JsonObject): string[][] {
  const { system, context, contacts, messages, statuses } = object;
  const people = roles.map((role) => idsOf(object, role));
  // A person tells the business of new ids.
  if (isObject(system)) people.push([...idsOf(object, sender), ...idsOf(system, contact)]);
  if (isThread(object) && isObject(context)) people.push([...idsOf(object, thread), ...idsOf(context, contact)]);
  const [only, ...others] = listOf(contacts).filter(isObject);
  const [items = [], ...otherItems] = distinct([
    ...listOf(messages).filter(isObject).map(idsOfSender),
    ...listOf(statuses).filter(isObject).map(idsOfRecipient),
  ]);
  // The only contact beside what one person sent or got is that person, whatever the ids.
  if (only && others.length + otherItems.length === 0) people.push([...idsOf(only, contact), ...items]);
  return people;
}

const idsOfSender = (message: JsonObject) => idsOf(message, sender);
const idsOfRecipient = (status: JsonObject) => [recipient, ...participants].flatMap((role) => idsOf(status, role));

const distinct = (lists: readonly string[][]) => [...new Map(lists.map((list) => [list.join(), list])).values()];

/** A conversation in the history of a number has the id of its contact. */
const thread: Role = { phones: ['id'], userIds: ['id'] };
const isThread = ({ messages }: JsonObject) => Array.isArray(messages);

function idsOf(object: JsonObject, { phones, userIds }: Role): string[] {
  return [
    ...textsOf(object, phones).flatMap((text) => phoneNumberOf(text) ?? []),
    ...textsOf(object, userIds).filter(isUserId),
  ];
}

/** An announcement of a new id has both in place of one. */
function textsOf(object: JsonObject, names: readonly string[]): string[] {
  const values = names.map((name) => object[name]);
  return values
    .flatMap((value) => (isObject(value) ? [value.previous, value.current] : [value]))
    .flatMap((value) => idOf(value) ?? []);
}

/**
 * The ids in a person's messages and calls, and in those to them, that may be the ids of files. A final response has the
 * token of its Flow, whose endpoint may have got files.
 */
export function* fileIdsOf(event: unknown, ids: Ids): Generator<string> {
  for (const object of objectsIn(event)) {
    if (!isOfPerson(object, ids)) continue;
    for (const [name, text] of leavesIn(object)) {
      if (name === 'id' || name === 'media_id') yield text;
      if (name === 'flow_token') yield flowFilesId(hashToken(text));
    }
  }
}

/** Whether everything in an object is from the person, or for them. */
function isOfPerson(object: JsonObject, ids: Ids): boolean {
  const isTheirs = (role: Role) => idsOf(object, role).some((id) => ids.has(id));
  if ([sender, callee].some(isTheirs) || (isThread(object) && isTheirs(thread))) return true;
  const [only, ...others] = listOf(object.contacts).filter(isObject);
  const [item, ...otherItems] = [...listOf(object.messages), ...listOf(object.calls)];
  if (!only || others.length > 0 || !item || otherItems.length > 0) return false;
  return idsOf(only, contact).some((id) => ids.has(id));
}

/** Content that a person composed may have members of any name, so no ids are read from it. */
const composed: ReadonlySet<string> = new Set(['interactive', 'template']);

/** An object and all objects within it that the platform wrote. */
function* objectsIn(value: unknown): Generator<JsonObject> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (isObject(next)) yield next;
    if (!isContainer(next)) continue;
    for (const [name, member] of Object.entries(next)) if (!composed.has(name)) left.push(member);
  }
}

/** All texts and numbers of a JSON value with the names of their members, also those of JSON within a text. */
function* leavesIn(value: unknown): Generator<[name: string, text: string]> {
  const left: [string, unknown][] = [['', value]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, member] = next;
    const inner = typeof member === 'string' ? jsonIn(member) : undefined;
    if (inner !== undefined) left.push([name, inner]);
    else if (isContainer(member)) for (const entry of Object.entries(member)) left.push(entry);
    else yield [name, idOf(member) ?? ''];
  }
}

const jsonIn = (text: string): unknown => (/^\s*[[{"]/.test(text) ? readJson(text) : undefined);

/** Keeps the digits of ids; only the plain parser can read what nests thousands of levels deep. */
export function readJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return parseJson(text);
  }
}

import { isObject, isText } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { isUserId } from '#shared/domain/messages/user-id.ts';

/*
 * How a person is named in what the service keeps: by phone number, in digits or as people write it, by user id, and
 * inside the platform's message ids, which may contain the phone number.
 */

const isPhoneNumber = (text: string) => /^\d{7,15}$/.test(text);

/** The digits of a phone number in any written form, or a user id; `undefined` for anything else. */
export function contactId(text: string): string | undefined {
  const trimmed = text.trim();
  if (isUserId(trimmed)) return trimmed;
  if (!/^\+?[\d\s().\-/]+$/.test(trimmed)) return undefined;
  const digits = trimmed.replace(/\D/g, '');
  return isPhoneNumber(digits) ? digits : undefined;
}

/** Whether a text names the person with one of these ids. */
export function namesContact(text: string, ids: ReadonlySet<string>): boolean {
  return [...ids].some((id) => patternOf(id).test(text)) || messageIds(text).some((inside) => includesAny(inside, ids));
}

const patterns = new Map<string, RegExp>();

/** Finds the id as a whole: not as a part of a longer number or word. */
function patternOf(id: string): RegExp {
  const cached = patterns.get(id);
  if (cached) return cached;
  const pattern = isPhoneNumber(id)
    ? new RegExp(`(?<!\\d)${[...id].join('[\\s().\\-/]*')}(?!\\d)`)
    : new RegExp(`(?<![\\w.])${id.replaceAll('.', '\\.')}(?!\\w)`);
  patterns.set(id, pattern);
  return pattern;
}

/** What the platform's ids of messages and calls contain. */
const messageIds = (text: string): string[] =>
  Array.from(text.matchAll(/wa[mc]id\.([\w+/=-]+)/g), ([, encoded = '']) =>
    Buffer.from(encoded, 'base64').toString('latin1'),
  );

const includesAny = (text: string, ids: ReadonlySet<string>) => [...ids].some((id) => text.includes(id));

/** The names of members that give ids of one person, for each of the roles in which an object names a person. */
const roles = [
  ['wa_id', 'input', 'user_id', 'parent_user_id'],
  ['from', 'from_user_id', 'from_parent_user_id'],
  ['to', 'to_user_id', 'to_parent_user_id'],
  ['recipient_id', 'recipient_user_id', 'recipient_parent_user_id', 'parent_recipient_user_id'],
  ['recipient_participant_id', 'recipient_participant_user_id', 'recipient_participant_parent_user_id'],
  ['participant_recipient_id', 'participant_recipient_user_id', 'participant_recipient_parent_user_id'],
] as const;

/** The ids that a JSON text gives to the person with one of these ids, these among them. */
export function otherIds(json: string, ids: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const object of objectsIn(parseJson(json))) {
    for (const role of roles) {
      const values = role
        .map((name) => object[name])
        .filter(isText)
        .flatMap((value) => contactId(value) ?? []);
      if (values.some((value) => ids.has(value))) for (const value of values) found.add(value);
    }
  }
  return found;
}

const senders = ['from', 'from_user_id', 'to', 'to_user_id'] as const;

/** The ids of the files in the messages and calls of the person with one of these ids. */
export function mediaOf(json: string, ids: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const object of objectsIn(parseJson(json))) {
    const isTheirs = senders.some((name) => ids.has(contactId(String(object[name])) ?? ''));
    if (!isTheirs) continue;
    for (const { id, mime_type } of objectsIn(object)) if (isText(id) && mime_type !== undefined) found.add(id);
  }
  return found;
}

/** An object and all objects within it. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (isObject(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

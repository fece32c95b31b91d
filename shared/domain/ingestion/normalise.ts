import { isNumber, numberText, type RawNumber, toDouble } from '#shared/base/json/exact-json.ts';
import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';
import { type NotificationError, normaliseErrors } from './normalise-error.ts';

/**
 * A notification as a receiver gets it: one upstream object without the upstream's envelope. Members keep their order,
 * and unknown members and types pass through. What the upstream's value says beside its lists stands behind them.
 */
export type Notification =
  | { readonly contacts: readonly JsonObject[]; readonly messages: readonly JsonObject[] }
  | { readonly statuses: readonly JsonObject[]; readonly contacts?: readonly JsonObject[] }
  | { readonly errors: readonly NotificationError[] }
  | { readonly calls: readonly JsonObject[]; readonly contacts?: readonly JsonObject[] };

const mediaTypes: ReadonlySet<string> = new Set(['image', 'document', 'audio', 'video', 'sticker']);

/** The members of a call's event that hold media. */
export const callMedia: ReadonlySet<string> = new Set(['call_recording', 'call_transcript', 'call_transcription']);

/** `contacts` is empty when nothing says who the contact is. */
export function messageNotification(message: JsonObject, contact: JsonObject | undefined): Notification {
  return { contacts: listed(contact), messages: [normaliseMessage(message)] };
}

/** A failed status has `errors` and no `contacts`; every other status has no `errors`. */
export function statusNotification(status: JsonObject, contact: JsonObject | undefined): Notification {
  if (status.status === 'failed') return { statuses: [normaliseMembers(status)] };
  const { errors, ...fine } = status;
  return { statuses: [normaliseMembers(fine)], contacts: listed(contact) };
}

export function errorNotification(error: NotificationError): Notification {
  return { errors: [error] };
}

export function callNotification(call: JsonObject, contact: JsonObject | undefined): Notification {
  return { calls: [withCallId(withConnection(withoutAddressesIn(normaliseMembers(call))))], ...contactsOf(contact) };
}

export function callStatusNotification(status: JsonObject, contact: JsonObject | undefined): Notification {
  return { statuses: [normaliseMembers(status)], ...contactsOf(contact) };
}

/** A change of any field, without the short-lived addresses of media. */
export function fieldNotification(field: string, value: unknown): JsonObject {
  return { field, value: withoutAddresses(value) };
}

/** Media are never nested deeper than this, and a recursion over thousands of levels would exhaust the stack. */
const maxLevels = 100;

/** Removes the addresses of media in a change or a call, at any depth and in lists. */
function withoutAddresses(value: unknown, level = 0): unknown {
  if (level > maxLevels) return value;
  if (Array.isArray(value)) return value.map((item) => withoutAddresses(item, level + 1));
  return isObject(value) ? withoutAddressesIn(value, level) : value;
}

/** Removes the addresses of media from the members of an object. */
export function withoutAddressesIn(object: JsonObject, level = 0): JsonObject {
  return mapMembers(object, (name, member) => {
    const inner = withoutAddresses(member, level + 1);
    if (!isMedia(name)) return inner;
    return Array.isArray(inner) ? inner.map(fetchedById) : fetchedById(inner);
  });
}

/** A file without its addresses, if it has an id that leads to it. */
function fetchedById(file: unknown): unknown {
  return isObject(file) && file.id !== undefined ? withoutAddress(file) : file;
}

const isMedia = (name: string) => mediaTypes.has(name) || callMedia.has(name) || name === 'voice';

function withoutAddress({ url, link, file, ...media }: JsonObject): JsonObject {
  return media;
}

const listed = (contact: JsonObject | undefined) => (contact === undefined ? [] : [contact]);

/** Events of calls carry `contacts` only if the upstream sent one. */
function contactsOf(contact: JsonObject | undefined): { readonly contacts?: readonly JsonObject[] } {
  return contact === undefined ? {} : { contacts: [contact] };
}

function normaliseMessage(message: JsonObject): JsonObject {
  const { edit } = message;
  const normalised = normaliseContent(message);
  if (!isObject(edit) || !isObject(edit.message)) return normalised;
  return { ...normalised, edit: { ...edit, message: normaliseContent(edit.message) } };
}

/**
 * Removes the addresses of media, which are short-lived and need our token: receivers fetch files by id. A voice
 * message gets the type `audio`. The upstream's flag `audio.voice` stays, because nothing else distinguishes a
 * recording from a file.
 */
function normaliseContent(message: JsonObject): JsonObject {
  const renamed = message.type === 'voice' ? voiceAsAudio(message) : message;
  return normaliseMedia(normaliseMembers(renamed));
}

function normaliseMedia(holder: JsonObject): JsonObject {
  return mapMembers(holder, (name, value) =>
    mediaTypes.has(name) && isObject(value) ? normaliseFile(name, value) : value,
  );
}

function voiceAsAudio(message: JsonObject): JsonObject {
  const members = Object.entries(message).map(([name, value]) => [name === 'voice' ? 'audio' : name, value]);
  return { ...Object.fromEntries(members), type: 'audio' };
}

function normaliseFile(type: string, file: JsonObject): JsonObject {
  const media = withoutAddress(file);
  if (type !== 'audio') return media;
  const { caption, ...audio } = media;
  return audio;
}

/** Normalises the members that all of the upstream's objects share. */
function normaliseMembers(object: JsonObject): JsonObject {
  return mapMembers(object, (name, value) => {
    if (name === 'errors' && Array.isArray(value)) return normaliseErrors(value);
    if (name === 'timestamp' && isNumber(value)) return secondsText(value);
    return value;
  });
}

/** Whole seconds without a fraction or an exponent. A time that is not a safe integer keeps its digits. */
function secondsText(time: number | RawNumber): string {
  const seconds = toDouble(time);
  return Number.isSafeInteger(seconds) ? String(seconds) : numberText(time);
}

/** The upstream sends the SDP as `session.sdp`, and only sometimes also in the older member that receivers may read. */
function withConnection(call: JsonObject): JsonObject {
  const { connection: existing, session } = call;
  if (existing !== undefined || !isObject(session) || typeof session.sdp !== 'string') return call;
  const connection = ['connection', { webrtc: { sdp: session.sdp } }];
  return Object.fromEntries(
    Object.entries(call).flatMap((member) => (member[0] === 'session' ? [connection, member] : [member])),
  );
}

/** Clients take `call_id` from the `connect` event; the upstream calls the member `id`. */
function withCallId(call: JsonObject): JsonObject {
  if (call.event !== 'connect' || call.id === undefined || call.call_id !== undefined) return call;
  return Object.fromEntries(
    Object.entries(call).flatMap((member) => (member[0] === 'id' ? [member, ['call_id', call.id]] : [member])),
  );
}

function mapMembers(object: JsonObject, map: (name: string, value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}

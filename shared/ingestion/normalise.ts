import { createHash } from 'node:crypto';
import {
  isNumber,
  isObject,
  isText,
  type JsonObject,
  maxJsonDepth,
  numberText,
  own,
  type RawNumber,
  toDouble,
} from '#shared/base/json.ts';
import { dayMs, minuteMs } from '#shared/base/time.ts';

/**
 * A notification as a receiver gets it: one upstream object without the upstream's envelope. Members keep their order,
 * and unknown members and types pass through. What the upstream's value says beside its lists stands behind them.
 */
export type Notification =
  | { readonly contacts: readonly JsonObject[]; readonly messages: readonly JsonObject[] }
  | { readonly contacts: readonly JsonObject[]; readonly message_echoes: readonly JsonObject[] }
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

/** A message that staff sent in another app, in the form of a message. */
export function echoNotification(echo: JsonObject, contact: JsonObject | undefined): Notification {
  return { contacts: listed(contact), message_echoes: [normaliseMessage(echo)] };
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

/** An error in the flat form of notifications; the upstream nests the details and repeats the title. */
export interface NotificationError {
  readonly code: number | RawNumber;
  readonly title: string;
  readonly details?: string;
  readonly href?: string;
}

/** Converts the upstream's errors to the form of notifications and leaves out everything that is not an error. */
export function normaliseErrors(errors: readonly unknown[]): NotificationError[] {
  return errors.map(normaliseError).filter((error) => error !== undefined);
}

/** Returns `undefined` for anything that is not an object with a code. */
export function normaliseError(error: unknown): NotificationError | undefined {
  if (!isObject(error)) return undefined;
  const code = readCode(error.code);
  if (code === undefined) return undefined;
  const details = readDetails(error);
  const href = readText(error.href);
  return {
    code,
    title: readText(error.title) ?? readText(error.message) ?? 'Unknown error',
    ...(details !== undefined && { details }),
    ...(href !== undefined && { href }),
  };
}

function readCode(code: unknown): number | RawNumber | undefined {
  if (typeof code === 'string' && /^\d{1,9}$/.test(code)) return Number(code);
  return isNumber(code) ? code : undefined;
}

/** The upstream sends details as `error_data.details`, as `error_data` itself, or flat in older versions. */
function readDetails({ error_data, details }: JsonObject): string | undefined {
  return readText(isObject(error_data) ? error_data.details : error_data) ?? readText(details);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const earliestMs = Date.UTC(2020, 0, 1);
const fallbackStepMs = 10 * minuteMs;

/**
 * When an event happened, in epoch milliseconds: the first of the upstream's times (Unix seconds, as text or number)
 * between 2020 and a day after `receivedAt`. Without such a time, `receivedAt` rounded down to ten minutes, so that a
 * repeat soon afterwards gets the same time: the time is part of the delivery's id.
 */
export function eventTime(upstreamTimes: Iterable<unknown>, receivedAt: number): number {
  for (const upstreamTime of upstreamTimes) {
    const time = parseSeconds(upstreamTime);
    if (time !== undefined && time >= earliestMs && time <= receivedAt + dayMs) return time;
  }
  return Math.floor(receivedAt / fallbackStepMs) * fallbackStepMs;
}

/** The members that say when something happened. Others, such as `expiration_timestamp`, say something else. */
const names = ['timestamp', 'updated_timestamp', 'created_timestamp'];

/**
 * The times that the members of a value say, in Unix seconds. The deepest come first, because they belong to the
 * items of the value, and the latest of one depth first, because the order of members says nothing.
 */
export function* timestampsIn(value: unknown): Generator<number> {
  const levels: number[][] = [];
  for (let parts = [value]; parts.length > 0 && levels.length < maxJsonDepth; parts = parts.flatMap(partsOf)) {
    const times = parts.flatMap((part) => names.map((name) => parseSeconds(own(part, name))));
    levels.push(times.filter((time) => time !== undefined).map((time) => time / 1000));
  }
  for (const seconds of levels.toReversed()) yield* seconds.toSorted((a, b) => b - a);
}

const partsOf = (part: unknown): unknown[] => (Array.isArray(part) ? part : isObject(part) ? Object.values(part) : []);

function parseSeconds(value: unknown): number | undefined {
  if (isNumber(value)) return Math.floor(toDouble(value)) * 1000;
  if (typeof value === 'string' && /^\d{1,12}$/.test(value)) return Number(value) * 1000;
  return undefined;
}

/**
 * Content in the form in which it is the same whenever it arrives: the order of members and the notation of a number,
 * also as text, say nothing.
 */
export function comparable(value: unknown, level = 0): unknown {
  if (isNumber(value)) return idOf(value) ?? numberText(value);
  if (level > maxJsonDepth) return value;
  if (Array.isArray(value)) return value.map((item) => comparable(item, level + 1));
  if (!isObject(value)) return value;
  const members = Object.keys(value).toSorted();
  return Object.fromEntries(members.map((name) => [name, comparable(value[name], level + 1)]));
}

export function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

/** Reads an id of the upstream, which writes ids as text and occasionally as numbers; `undefined` if it is neither. */
export function idOf(value: unknown): string | undefined {
  if (isNumber(value)) return idText(toDouble(value), numberText(value));
  return isText(value) ? value : undefined;
}

/** A number's digits in any notation. Beyond 2^53, only the digits of a plain integer are exact. */
function idText(value: number, written: string): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return /^\d+$/.test(written) ? written : undefined;
}

/** The form of the upstream's ids, most of which are digits. Any other text could not be part of a table key. */
const idPattern = /^[\w.:-]{1,128}$/;

/** Reads an id that keys and paths are built from. */
export function readId(value: unknown): string | undefined {
  const id = idOf(value);
  return id !== undefined && idPattern.test(id) ? id : undefined;
}

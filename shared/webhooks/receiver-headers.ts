import type { FieldError } from '#shared/base/field-error.ts';
import { isVisibleAscii } from '#shared/base/text.ts';
import { formsOf } from './secret-in-text.ts';
import type { HeaderNames } from './subscriber.ts';

/** Headers of a receiver's own, by their names in lower case. The values are secret. */
export type ReceiverHeaders = Readonly<Record<string, string>>;

/** The headers of a target as they are stored, with the origin of the URL that they were set for. */
export interface StoredHeaders {
  origin: string;
  headers: ReceiverHeaders;
}

/** The maximum number of headers that a target can have. */
const maxHeaders = 5;

const longestName = 64;
const longestValue = 1_000;

/** A token of RFC 9110. */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Visible ASCII, with spaces and tabs only in between. Nothing else survives every proxy. */
const fieldValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers of the connection or the message (RFC 9110 and 9112), which the receiver's server could misread. */
const ofTransport = new Set([
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/** Headers of the message and of this service. */
const reservedPrefixes = ['content-', 'proxy-', 'webhook-', 'messaging-service-', 'x-hub-'];
const reservedNames = new Set(['x-flow-id', 'x-message-id', 'x-contact']);

/** Finds what is wrong with headers. An error never repeats a value, or a name that is not valid. */
export function headerFaults(headers: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(headers);
  const lower = names.map((name) => name.toLowerCase());
  if (names.length > maxHeaders) return [{ field: 'headers', rule: 'max_array', values: { max: maxHeaders } }];
  if (new Set(lower).size < names.length) return [{ field: 'headers', rule: 'distinct', values: {} }];
  return Object.entries(headers).flatMap(([name, value]): FieldError[] => {
    if (!isName(name)) return [{ field: 'headers', rule: 'header_name', values: {} }];
    const field = `headers.${name}`;
    if (isReserved(name.toLowerCase())) return [{ field, rule: 'header_reserved', values: {} }];
    const isValid = value.length <= longestValue && fieldValue.test(value);
    return isValid ? [] : [{ field, rule: 'header_value', values: { max: longestValue } }];
  });
}

/** `__proto__` is a token, but no record can hold it. */
function isName(name: string): boolean {
  return token.test(name) && name.length <= longestName && name.toLowerCase() !== '__proto__';
}

function isReserved(name: string): boolean {
  return ofTransport.has(name) || reservedNames.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Headers in the form in which they are stored, for the server of this URL. */
export function storedHeaders(headers: Readonly<Record<string, string>>, url: string): StoredHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { origin: new URL(url).origin, headers: Object.fromEntries(entries) };
}

/**
 * The headers that are sent to a target. A URL of another origin than the one that they were set for gets none: its
 * server may be somebody else's.
 */
export function headersFor(url: string, stored: StoredHeaders | undefined): ReceiverHeaders | undefined {
  return stored && new URL(url).origin === stored.origin ? stored.headers : undefined;
}

/** The names of the headers that are sent to a target. */
export function headerNames({ url, headers }: { url?: string; headers?: HeaderNames }): readonly string[] {
  return headers && url !== undefined && new URL(url).origin === headers.origin ? headers.names : [];
}

/** Parts of a value that are shorter than this are not secrets. */
export const shortestSecret = 6;

/** The scheme of an `Authorization` is not a secret. */
const schemes = new Set(['basic', 'bearer', 'digest', 'token']);

/**
 * The texts that a receiver's response must not show, in the forms that receivers write: those in the values of its
 * headers, and other secrets that it knows.
 */
export function secretsIn(headers: ReceiverHeaders, others: readonly string[] = []): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, ...partsOf(value), ...credentialsIn(value)]);
  return [...others, ...inHeaders]
    .filter((secret) => secret.length >= shortestSecret && !schemes.has(secret.toLowerCase()))
    .flatMap(formsOf);
}

/** The words of a value, and what stands behind a `=` in them, as in cookies. */
function partsOf(value: string): string[] {
  const words = value.split(/\s+/);
  const members = value.split(/[\s,;]+/).map((word) => word.slice(word.indexOf('=') + 1).replaceAll('"', ''));
  return [...words, ...members];
}

/** What `Basic` encodes: user and password, and the password. */
function credentialsIn(value: string): string[] {
  const encoded = /^basic\s+(\S+)$/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const decoded = Buffer.from(encoded, 'base64').toString();
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

/** The headers that tell a customer's server to which Flow, message and contact a request belongs. */
export function referenceHeaders(
  sent: { flow: string; message?: string | undefined; contact: string } | undefined,
): Record<string, string> {
  if (sent === undefined) return {};
  const values = { 'x-flow-id': sent.flow, 'x-message-id': sent.message, 'x-contact': sent.contact };
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isVisibleAscii(entry[1]),
    ),
  );
}

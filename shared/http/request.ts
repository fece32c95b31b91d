import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { BoundedMap } from '#shared/base/cache.ts';
import { isContainer, type JsonObject, maxJsonDepth, nestsDeeperThan, parseExactJson } from '#shared/base/json.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { defaultLanguage, type Language, languages } from './language.ts';

/** A request in the form of API Gateway's HTTP API (payload format 2.0). */
export type HttpEvent = APIGatewayProxyEventV2;

/**
 * Reads a header. API Gateway makes header names lower-case, but not every stand-in does (`sam local` capitalises
 * them).
 */
export function header({ headers }: Pick<HttpEvent, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  if (value !== undefined) return value;
  // Most requests lack several headers, so a name of another length is not converted.
  for (const key in headers) {
    if (key.length === name.length && key.toLowerCase() === name) return headers[key];
  }
  return undefined;
}

/** Reads a cookie. API Gateway passes cookies separately from the headers, each as `name=value`. */
export function cookie(event: HttpEvent, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

export function languageOf(event: HttpEvent): Language {
  return negotiateLanguage(header(event, 'accept-language'));
}

/**
 * Returns whether a client accepts a gzipped response, according to its `Accept-Encoding` (RFC 9110, section 12.5.3).
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const preferences = parseAcceptHeader(acceptEncoding);
  const gzip = preferences.find(({ name }) => name === 'gzip') ?? preferences.find(({ name }) => name === '*');
  return gzip !== undefined && gzip.quality > 0;
}

/** The bytes of the body as the client sent them. */
export const rawBody = ({ body = '', isBase64Encoded }: SentBody): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

type SentBody = Pick<HttpEvent, 'body' | 'isBase64Encoded'>;

/**
 * Reads the JSON object in a request's body. No body counts as an empty object, so the error names the missing fields.
 * With `exactNumbers`, numbers keep their written digits, see {@link parseExactJson}.
 */
export function readJsonBody(event: SentBody & Pick<HttpEvent, 'headers'>, exactNumbers = false): JsonObject {
  if (!event.body) return {};
  if (!isJson(header(event, 'content-type'))) throw new ServiceError('body.not-json');
  const text = event.isBase64Encoded ? decodeUtf8(rawBody(event)) : event.body;
  const value = parseBody(text, exactNumbers ? parseExactBody : JSON.parse);
  if (nestsDeeperThan(maxJsonDepth, value)) throw tooDeep();
  if (!isContainer(value) || Array.isArray(value)) throw new ServiceError('body.not-an-object');
  return value as JsonObject;
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return mediaType === 'application/json' && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('body.not-utf-8');
  }
}

/** Parses the text of a body. The error states the position of a syntax error but quotes nothing from the body. */
export function parseBody(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // V8's message quotes the text around the error, so only the position is passed on.
    const place = /position \d+( \(line \d+ column \d+\))?|Unexpected end/.exec(error.message);
    const reason = place ? `at ${place[0]}`.replace('at Unexpected end', 'unexpected end') : 'unexpected token';
    throw new ServiceError('body.malformed', { values: { reason } });
  }
}

function parseExactBody(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    // Unlike the plain parser, the exact one recurses, so deep nesting exhausts the stack.
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

const tooDeep = () => new ServiceError('body.too-deep', { values: { max: maxJsonDepth } });

/** Clients send few different headers, so the languages of the latest ones are kept. */
const negotiated = new BoundedMap<string, Language>(100);

/**
 * Picks the best of our languages for an `Accept-Language` header (RFC 9110, section 12.5.4): the highest quality
 * first, ties in header order. A range matches by its primary tag, so `pt` and `pt-PT` get Brazilian Portuguese.
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  return acceptLanguage === undefined ? defaultLanguage : negotiated.getOrInsertComputed(acceptLanguage, bestLanguage);
}

function bestLanguage(acceptLanguage: string): Language {
  const accepted = parseAcceptHeader(acceptLanguage)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { name } of accepted) {
    if (name === '*') return defaultLanguage;
    const match = languages.find((language) => primaryTag(language) === primaryTag(name));
    if (match) return match;
  }
  return defaultLanguage;
}

function primaryTag(tag: string): string {
  return tag.split('-')[0] ?? '';
}

/** Something that a client accepts, such as a language or a coding, with its preference from 0 (not at all) to 1. */
export interface Preference {
  /** The name in lower case. `*` means everything that the header does not name. */
  name: string;
  quality: number;
}

/** Further preferences are ignored, so that a hostile header costs little. */
const maxPreferences = 20;

/**
 * Parses an `Accept-Language` or `Accept-Encoding` header (RFC 9110, section 12.4.2). Keeps the order of the header.
 */
export function parseAcceptHeader(header: string | undefined): Preference[] {
  return (header ?? '').split(',', maxPreferences).map(parsePreference);
}

function parsePreference(text: string): Preference {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

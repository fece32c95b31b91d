import { repeatedName } from '#shared/base/field-error.ts';
import { isNumber, type JsonObject, numberText, parseJson } from '#shared/base/json.ts';
import { invalidField, invalidFields } from '#shared/base/service-error.ts';
import { type HttpEvent, header, rawBody, readJsonBody } from '#shared/http/request.ts';
import { rejectEncoded } from '#shared/operations/middleware.ts';
import type { GraphQuery } from './graph-objects-graph.ts';
import { type GraphPath, parametersOf } from './graph-paths.ts';

export type QueryParameters = Readonly<Record<string, string | undefined>>;

/** Graph's parameters for any request that change nothing where a path lacks them. They go no further. */
const ignored: ReadonlySet<string> = new Set([
  ...['access_token', 'appsecret_proof', 'appsecret_time', 'debug', 'format', 'locale', 'pretty', 'summary'],
]);

/** Some clients ask for the first page of a list by its offset. */
const isIgnored = (name: string, value: string | undefined) =>
  ignored.has(name) || (name === 'offset' && value === '0');

/** Some clients name no fields and no limit. An empty filter is not ignored: it may be a mistake. */
const isEmpty = (name: string, value: string | undefined) => (name === 'fields' || name === 'limit') && value === '';

/** The most entries of a list that one request gets. */
const maxLimit = 100;

/** The parameters that a path does not have. */
export const unknownIn = (parameters: QueryParameters, path: GraphPath): string[] =>
  Object.keys(parameters).filter((name) => !parametersOf(path).includes(name) && !isIgnored(name, parameters[name]));

/** The parameters of a request that may go on to the platform. Any other one is an error. */
export function readQuery(parameters: QueryParameters, path: GraphPath): GraphQuery {
  const known = parametersOf(path);
  const sent = Object.entries(parameters).filter(([name, value]) => known.includes(name) && !isEmpty(name, value));
  const unknown = unknownIn(parameters, path).map(repeatedName);
  if (unknown.length > 0) {
    const rule = known.length > 0 ? 'unknown_parameter_among' : 'unknown_parameter';
    throw invalidFields(unknown.map((field) => ({ field, rule, values: { name: field, existing: known.join(', ') } })));
  }
  return Object.fromEntries(sent.map(([name, value = '']) => [name, readValue(name, value, path)]));
}

function readValue(name: string, value: string, { fields = [], withheld = [] }: GraphPath): string {
  if (name === 'limit') return readLimit(value);
  if (name === 'summary' && !/^[a-z_,]+$/.test(value)) throw invalidField('summary', 'format');
  if (name !== 'fields') return value;
  // Graph takes a JSON list, too.
  const asked = value.split(/[\s,"[\]]+/).filter(Boolean);
  if (!asked.every((field) => fields.includes(field) || withheld.includes(field))) {
    throw invalidField('fields', 'selected', { values: fields.join(', ') });
  }
  return asked.filter((field) => !withheld.includes(field)).join(',') || 'id';
}

function readLimit(value: string): string {
  if (!/^\d{1,9}$/.test(value)) throw invalidField('limit', 'integer');
  if (Number(value) < 1) throw invalidField('limit', 'min_number', { min: 1 });
  return String(Math.min(Number(value), maxLimit));
}

/** Members that change what Graph does with a whole request, or that say who makes it. They are no part of a body. */
const dropped: ReadonlySet<string> = new Set([
  ...['access_token', 'appsecret_proof', 'batch', 'callback', 'debug', 'fields', 'ids', 'include_headers', 'method'],
  ...['relative_url', 'suppress_http_code'],
]);

/**
 * A body in JSON in place of a form. As at Graph, an object or a list in a form is the text of its JSON. PHP writes an
 * empty object as a list.
 */
function formAsJson(event: HttpEvent): Parameters<typeof readJsonBody>[0] {
  if (event.body === '[]') return { ...event, body: '{}' };
  if (!/^application\/x-www-form-urlencoded/i.test(header(event, 'content-type') ?? '')) return event;
  const members = [...new URLSearchParams(String(rawBody(event)))].map(([name, value]) => {
    const isJson = /^[[{]/.test(value) && parseJson(value) !== undefined;
    return `${JSON.stringify(name)}:${isJson ? value : JSON.stringify(value)}`;
  });
  return { headers: { 'content-type': 'application/json' }, body: `{${members.join()}}`, isBase64Encoded: false };
}

/** Reads a body. As at Graph, a member that is `null` is absent, and a phone number may be a JSON number. */
export function readBody(event: HttpEvent, { exactNumbers = false } = {}): JsonObject {
  rejectEncoded(event);
  const members = readJsonBody(formAsJson(event), exactNumbers);
  const kept = Object.entries(members).filter(([name, value]) => !dropped.has(name) && value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'to' && isNumber(value) ? numberText(value) : value]),
  );
}

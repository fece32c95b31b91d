import { parseUuid } from '#shared/base/ids.ts';
import type { Position } from '#shared/base/paging.ts';
import { invalidField } from '#shared/domain/errors/invalid-fields.ts';

/** A position in one list. */
export interface Cursor extends Position {
  /** The id of the resource that the list belongs to. */
  list: string;
}

/** Encodes a cursor. It is opaque to clients and bound to its list, so that it is not valid for another one. */
export function encodeCursor({ list, item, towards }: Cursor): string {
  return Buffer.from([list, item, towards].join(' ')).toString('base64url');
}

/** Decodes a cursor; returns `undefined` if `text` is not a cursor of this list. */
export function decodeCursor(text: string, list: string): Cursor | undefined {
  const [ofList, itemText, towards, ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  const item = parseUuid(itemText);
  if (rest.length > 0 || ofList !== list || item === undefined) return undefined;
  if (towards !== 'older' && towards !== 'newer') return undefined;
  const cursor = { list, item, towards } as const;
  return encodeCursor(cursor) === text ? cursor : undefined;
}

/** Decodes a request's `cursor` field, if there is one. Throws `validation-failed` if it is not a cursor of this list. */
export function requestCursor(text: string | undefined, list: string): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = decodeCursor(text, list);
  if (!cursor) throw invalidField('cursor', 'cursor');
  return cursor;
}

import { isObject, type JsonObject, listOf } from '#shared/base/json.ts';

/** The lists of a value whose items are events of their own. */
const lists: ReadonlySet<string> = new Set(['messages', 'statuses', 'errors', 'calls', 'user_actions']);

/** One item of a value, as the platform sent it. */
export interface MetaItem {
  /** The list that has it. */
  readonly list: string;
  readonly item: JsonObject;
  /** The contact that the item is about. */
  readonly contact?: JsonObject | undefined;
}

/**
 * The platform's value with only this item and its contact. The other members stay as they are, but lists that may hold
 * events of another kind, which are notifications of their own.
 */
export function valueWithItem(value: JsonObject, { list, item, contact }: MetaItem): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === list) return [[name, [item]]];
    if (name === 'contacts') return contact === undefined ? [] : [[name, [contact]]];
    return lists.has(name) || listOf(member).length > 0 ? [] : [[name, member]];
  });
  return withoutLinks(Object.fromEntries(members)) as JsonObject;
}

/** The members that hold files. */
const fileMembers: ReadonlySet<string> = new Set([
  ...['image', 'document', 'audio', 'voice', 'video', 'sticker'],
  ...['call_recording', 'call_transcript', 'call_transcription'],
]);

/** What leads to a file, apart from its id. */
const linkMembers: ReadonlySet<string> = new Set(['url', 'link', 'file']);

/** What people wrote, which stays as it is. */
const writtenMembers: ReadonlySet<string> = new Set(['body', 'caption']);

/** The host from which the platform serves files to whoever has its token. */
const platformLink = /^\s*(?:https?:)?\/\/(?:[^/?#\s]*[.@])?lookaside\.fbsbx\.com\b/i;

/** Files are never nested deeper than this, and a recursion over thousands of levels would exhaust the stack. */
const maxLevels = 100;

/**
 * Removes the links to files, at any depth. They need the platform's token, and a receiver of this format sends its
 * token for us to whatever link it gets. What nests too deep to search is left out.
 */
export function withoutLinks(value: unknown, isFile = false, level = 0): unknown {
  if (level > maxLevels) return null;
  if (Array.isArray(value)) {
    return value.filter((item) => !isPlatformLink(item)).map((item) => withoutLinks(item, isFile, level + 1));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isLink(name, member, isFile) ? [] : [[name, withoutLinks(member, isFile || fileMembers.has(name), level + 1)]],
    ),
  );
}

const isLink = (name: string, member: unknown, isFile: boolean) =>
  (isFile && linkMembers.has(name)) || (isPlatformLink(member) && !writtenMembers.has(name));

const isPlatformLink = (value: unknown) => typeof value === 'string' && platformLink.test(value);

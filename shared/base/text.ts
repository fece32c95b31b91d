/** Returns a text of at most this many characters, with an ellipsis for the rest. It splits no emoji. */
export function shorten(text: string, maxCharacters: number): string {
  // A character has at most two units, so no more of a long text is looked at.
  const characters = [...text.slice(0, 2 * maxCharacters + 1)];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters).join('')}…`;
}

/** Characters that control a terminal, or the order in which it shows others. */
const controls = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text of one or more lines that cannot control the terminal, whoever wrote what is in it. JSON stays JSON. */
export const visible = (text: string): string => text.replace(controls, escapeOf);

/** The same for a text that has to stay in its line. */
export const visibleLine = (text: string): string => visible(text).replaceAll('\n', '\\u000a');

/** A word as a shell reads it back. What a terminal would obey is escaped as bash and zsh know it. */
export function quoted(word: string): string {
  const shown = visibleLine(word);
  if (shown !== word) return `$'${visibleLine(word.replace(/['\\]/g, '\\$&'))}'`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The maximum number of characters in a text that goes into a header. */
export const longestVisibleAscii = 512;

/** Whether the text has only visible characters of ASCII, and few enough that it can stand in a header. */
export function isVisibleAscii(text: string): boolean {
  return text.length <= longestVisibleAscii && /^[!-~]+$/.test(text);
}

/** The maximum number of characters in a text that goes into a header. */
export const longestVisibleAscii = 512;

/** Whether the text has only visible characters of ASCII, and few enough that it can stand in a header. */
export function isVisibleAscii(text: string): boolean {
  return text.length <= longestVisibleAscii && /^[!-~]+$/.test(text);
}

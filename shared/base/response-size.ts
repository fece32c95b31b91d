/**
 * A Lambda response holds at most 6 MB, with the body as a string in JSON: every quotation mark and backslash counts
 * twice (AWS Lambda quotas, invocation payload).
 */
const lambdaPayloadBytes = 6 * 1024 * 1024;

/** Room for headers, and for what stands around a large value in its response. */
const headroomBytes = 64 * 1024;

/** What the values of a response may take together, as {@link sizeInResponse} counts. */
export const maxResponseBytes = lambdaPayloadBytes - headroomBytes;

/** Bytes of a text inside a Lambda response: what `JSON.stringify` would make of it, counted without a copy. */
export function sizeInResponse(text: string): number {
  let bytes = Buffer.byteLength(text) + 2;
  for (let at = 0; at < text.length; at++) bytes += escapeBytes(text.charCodeAt(at));
  // A lone surrogate counts three bytes as a character, and six as an escape.
  if (!text.isWellFormed()) bytes += 3 * (text.match(/\p{Surrogate}/gu)?.length ?? 0);
  return bytes;
}

const quotationMark = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** Those that JSON escapes with a letter; other control characters become `\u` and four digits. */
const lettered = new Set(Array.from('\b\t\n\f\r', (character) => character.charCodeAt(0)));

/** What a character's escape takes besides the character. */
function escapeBytes(code: number): number {
  if (code === quotationMark || code === backslash) return 1;
  if (code >= space) return 0;
  return lettered.has(code) ? 1 : 5;
}

import { randomUUID } from 'node:crypto';

/**
 * A Lambda response holds this much and contains the body as a JSON string, in which every quotation mark and
 * backslash takes two bytes (AWS Lambda quotas, invocation payload). Not only `http` has to know it: in the domain,
 * it limits the pages of lists, and decides which files are copied to the bucket.
 */
export const maxResponseMegabytes = 6;

const lambdaPayloadBytes = maxResponseMegabytes * 1024 * 1024;

/** Room for headers and for the members around a large value. */
const headroomBytes = 64 * 1024;

/** The maximum size of a response's values together, in bytes, as {@link sizeInResponse} counts them. */
export const maxResponseBytes = lambdaPayloadBytes - headroomBytes;

/** Counts the bytes of a text inside a Lambda response: the length of its JSON string, without creating that string. */
export function sizeInResponse(text: string): number {
  let bytes = Buffer.byteLength(text) + 2;
  for (let at = 0; at < text.length; at++) bytes += escapeBytes(text.charCodeAt(at));
  // `byteLength` counts three bytes for a lone surrogate, but its escape takes six.
  if (!text.isWellFormed()) bytes += 3 * (text.match(/\p{Surrogate}/gu)?.length ?? 0);
  return bytes;
}

const quotationMark = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** The control characters that JSON escapes with a letter; the others become `\u` and four digits. */
const lettered = new Set(Array.from('\b\t\n\f\r', (character) => character.charCodeAt(0)));

/** Returns how many bytes a character's escape takes in addition to the character. */
function escapeBytes(code: number): number {
  if (code === quotationMark || code === backslash) return 1;
  if (code >= space) return 0;
  return lettered.has(code) ? 1 : 5;
}

/** A JSON text that goes into a response unchanged, without being parsed and written again. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    if (!found) throw new Error('Only stringify writes a raw JSON text');
    found.push(this.text);
    return placeholder;
  }
}

/** Stands for a raw text until that is inserted. No other text has it, because it never leaves the process. */
const placeholder = randomUUID();
const writtenPlaceholder = JSON.stringify(placeholder);

/** The raw texts that `JSON.stringify` finds, in their order. */
let found: string[] | undefined;

/** Works like `JSON.stringify` but inserts the text of every {@link RawJson} unchanged. */
export function stringify(value: unknown): string {
  const texts: string[] = [];
  found = texts;
  try {
    return insert(texts, JSON.stringify(value));
  } finally {
    found = undefined;
  }
}

function insert(texts: readonly string[], written: string): string {
  let result = '';
  let end = 0;
  for (const text of texts) {
    const start = written.indexOf(writtenPlaceholder, end);
    result += written.slice(end, start) + text;
    end = start + writtenPlaceholder.length;
  }
  return end === 0 ? written : result + written.slice(end);
}

import { randomUUID } from 'node:crypto';

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

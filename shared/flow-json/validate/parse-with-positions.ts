/** A range of a text, in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonNode extends Span {
  readonly value: string | number | boolean | null | readonly JsonNode[] | JsonMembers;
}

/** A map and not an object, so that no name is special. */
export type JsonMembers = ReadonlyMap<string, JsonMember>;

export interface JsonMember {
  readonly key: Span;
  readonly node: JsonNode;
}

export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Far beyond any Flow. They keep hostile texts from exhausting stack and memory. */
const maxDepth = 512;
const maxValues = 200_000;

const noMembers: JsonMembers = new Map();
const whitespacePattern = /[ \t\n\r]*/y;
const scalarPattern = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The end of a string, or a character that needs a closer look: a backslash or a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids them in strings.
const notPlainPattern = /["\\\u0000-\u001f]/g;

/** Parses JSON (RFC 8259) like `JSON.parse`, and keeps the position of each value. Throws {@link JsonSyntaxError}. */
export function parseWithPositions(text: string): JsonNode {
  return new Parser(text).parse();
}

/** Converts offsets in `text` to lines and columns, both counted from 1. */
export function lineIndex(text: string): (offset: number) => { line: number; column: number } {
  const lineStarts = new Uint32Array(countLineBreaks(text) + 1);
  for (let line = 1; line < lineStarts.length; line += 1) {
    lineStarts[line] = text.indexOf('\n', lineStarts[line - 1]) + 1;
  }
  return (offset) => {
    let [low, high] = [0, lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
  };
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

class Parser {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonNode {
    const node = this.#value(0);
    this.#skipWhitespace();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return node;
  }

  #value(depth: number): JsonNode {
    this.#skipWhitespace();
    if (depth > maxDepth) throw new JsonSyntaxError(`Nested deeper than ${maxDepth} levels`, this.#at);
    this.#values += 1;
    if (this.#values > maxValues) throw new JsonSyntaxError(`More than ${maxValues} values`, this.#at);
    const start = this.#at;
    const value = this.#content(depth);
    return { start, end: this.#at, value };
  }

  #content(depth: number): JsonNode['value'] {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(depth: number): JsonMembers {
    if (this.#opensEmpty('}')) return noMembers;
    const members = new Map<string, JsonMember>();
    do {
      this.#skipWhitespace();
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#unexpected();
      const name = this.#string();
      const key = { start, end: this.#at };
      this.#skipWhitespace();
      if (!this.#take(':')) throw this.#unexpected();
      members.set(name, { key, node: this.#value(depth + 1) });
    } while (this.#continues('}'));
    return members;
  }

  #array(depth: number): readonly JsonNode[] {
    const elements: JsonNode[] = [];
    if (this.#opensEmpty(']')) return elements;
    do {
      elements.push(this.#value(depth + 1));
    } while (this.#continues(']'));
    return elements;
  }

  /** Consumes an opening bracket, and `close` too if it follows. */
  #opensEmpty(close: string): boolean {
    this.#at += 1;
    this.#skipWhitespace();
    return this.#take(close);
  }

  /** Consumes the comma before another item, or `close` after the last one. */
  #continues(close: string): boolean {
    this.#skipWhitespace();
    if (this.#take(',')) return true;
    if (!this.#take(close)) throw this.#unexpected();
    return false;
  }

  #string(): string {
    const start = this.#at;
    notPlainPattern.lastIndex = start + 1;
    let plain = true;
    while (notPlainPattern.test(this.#text)) {
      const at = notPlainPattern.lastIndex - 1;
      if (this.#text[at] === '"') {
        this.#at = at + 1;
        return plain ? this.#text.slice(start + 1, at) : this.#escapedString(start);
      }
      plain = false;
      if (this.#text[at] === '\\') notPlainPattern.lastIndex = at + 2;
    }
    throw new JsonSyntaxError('Unterminated string', start);
  }

  #escapedString(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at));
    } catch {
      throw new JsonSyntaxError('Bad escape or control character in a string', start);
    }
  }

  #scalar(): string | number | boolean | null {
    scalarPattern.lastIndex = this.#at;
    if (!scalarPattern.test(this.#text)) throw this.#unexpected();
    const start = this.#at;
    this.#at = scalarPattern.lastIndex;
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  #skipWhitespace(): void {
    whitespacePattern.lastIndex = this.#at;
    whitespacePattern.test(this.#text);
    this.#at = whitespacePattern.lastIndex;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(): JsonSyntaxError {
    const character = this.#text[this.#at];
    const what = character === undefined ? 'Unexpected end' : `Unexpected character ${JSON.stringify(character)}`;
    return new JsonSyntaxError(what, this.#at);
  }
}

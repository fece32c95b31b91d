/** Where something stands in a text, as UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonNode extends Span {
  readonly value: string | number | boolean | null | readonly JsonNode[] | ReadonlyMap<string, JsonMember>;
}

interface JsonMember {
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

const MAX_DEPTH = 512;
const WHITESPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses JSON (RFC 8259) like `JSON.parse`, and keeps where each value stands. Throws {@link JsonSyntaxError}. */
export function parseJson(text: string): JsonNode {
  return new Parser(text).parse();
}

/** Turns offsets of `text` into lines and columns, both counted from 1. */
export function lineIndex(text: string): (offset: number) => { line: number; column: number } {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
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

class Parser {
  readonly #text: string;
  #at = 0;

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
    if (depth > MAX_DEPTH) throw new JsonSyntaxError(`Nested deeper than ${MAX_DEPTH} levels`, this.#at);
    this.#skipWhitespace();
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

  #object(depth: number): ReadonlyMap<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    this.#items('}', () => {
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#unexpected();
      const name = this.#string();
      const key = { start, end: this.#at };
      this.#skipWhitespace();
      if (!this.#take(':')) throw this.#unexpected();
      members.set(name, { key, node: this.#value(depth + 1) });
    });
    return members;
  }

  #array(depth: number): readonly JsonNode[] {
    const elements: JsonNode[] = [];
    this.#items(']', () => elements.push(this.#value(depth + 1)));
    return elements;
  }

  /** Reads what stands between an opening bracket and `close`, separated by commas. */
  #items(close: string, readItem: () => void): void {
    this.#at += 1;
    this.#skipWhitespace();
    if (this.#take(close)) return;
    do {
      this.#skipWhitespace();
      readItem();
      this.#skipWhitespace();
    } while (this.#take(','));
    if (!this.#take(close)) throw this.#unexpected();
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    while (this.#text[end] !== '"') {
      if (end >= this.#text.length) throw new JsonSyntaxError('Unterminated string', start);
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, this.#at));
    } catch {
      throw new JsonSyntaxError('Bad escape or control character in a string', start);
    }
  }

  #scalar(): string | number | boolean | null {
    SCALAR.lastIndex = this.#at;
    const literal = SCALAR.exec(this.#text)?.[0];
    if (literal === undefined) throw this.#unexpected();
    this.#at += literal.length;
    return JSON.parse(literal);
  }

  #skipWhitespace(): void {
    WHITESPACE.lastIndex = this.#at;
    WHITESPACE.test(this.#text);
    this.#at = WHITESPACE.lastIndex;
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

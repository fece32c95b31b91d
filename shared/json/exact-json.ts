/** What V8 has of the proposal "JSON.parse source text access" and TypeScript does not declare yet. */
interface SourceTextAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** Stands for a number in the form that it is written in. */
  rawJSON(text: string): object;
}

const { parse, rawJSON } = JSON as unknown as SourceTextAccess;

/** Numbers that may read otherwise once they were a double: with a point or an exponent, very long, or a negative zero. */
const losesDigits = /(?:^|[:[,])\s*-?(?:\d+(?:[.eE]|\d{15})|(?<=-)0)/;

/**
 * Parses JSON so that `JSON.stringify` writes every number as it was: `12345678901234567890` and `1.0` stay what they
 * are. Such numbers are opaque objects until then. Names made of digits come first, as in every object of JavaScript.
 */
export function parseExactJson(text: string): unknown {
  if (!losesDigits.test(text)) return JSON.parse(text);
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value,
  );
}

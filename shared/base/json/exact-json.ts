/** What V8 has of the proposal "JSON.parse source text access" and TypeScript does not declare yet. */
interface SourceTextAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** Stands for a number in the form that it is written in. */
  rawJSON(text: string): RawNumber;
  /** Browsers that lack the proposal have no raw numbers. */
  isRawJSON?(value: unknown): boolean;
}

/** A number that a double cannot hold as it is written. Opaque: `JSON.stringify` writes its digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

const json = JSON as unknown as SourceTextAccess;

/**
 * Numbers that may read otherwise once they were a double: with a point or an exponent, very long, or a negative zero.
 */
const losesDigits = /(?:^|[:[,])\s*-?(?:\d+(?:[.eE]|\d{15})|(?<=-)0)/;

/**
 * Parses JSON so that `JSON.stringify` writes every number as it was: `12345678901234567890` and `1.0` stay what they
 * are. Such numbers are opaque objects until then. Names made of digits come first, as in every object of JavaScript.
 */
export function parseExactJson(text: string): unknown {
  if (!losesDigits.test(text)) return JSON.parse(text);
  return json.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** Whether the value stands for a number, although `typeof` calls it an object. */
export function isRawNumber(value: unknown): value is RawNumber {
  return typeof value === 'object' && value !== null && json.isRawJSON?.(value) === true;
}

/** Whether the value is a number of parsed JSON, in either form. */
export function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || isRawNumber(value);
}

/** The nearest double. */
export function toDouble(number: number | RawNumber): number {
  return typeof number === 'number' ? number : Number(number.rawJSON);
}

/** The number as it is written in JSON. */
export function numberText(number: number | RawNumber): string {
  return typeof number === 'number' ? String(number) : number.rawJSON;
}

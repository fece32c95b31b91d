/** The parts of the proposal "JSON.parse source text access" that V8 has and TypeScript does not declare yet. */
interface SourceTextAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** Represents a number exactly as the text writes it. */
  rawJSON(text: string): RawNumber;
  /** Browsers that lack the proposal have no raw numbers. */
  isRawJSON?(value: unknown): boolean;
}

/** A number whose written form a double would change. It is opaque; `JSON.stringify` writes the original digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

const json = JSON as unknown as SourceTextAccess;

/**
 * Matches numbers whose written form a double may change: with a point or an exponent, very long, or a negative zero.
 */
const losesDigits = /(?:^|[:[,])\s*-?(?:\d+(?:[.eE]|\d{15})|(?<=-)0)/;

/**
 * Parses JSON so that `JSON.stringify` writes every number unchanged, such as `12345678901234567890` or `1.0`. In
 * between, such numbers are opaque objects. Names made of digits come first, as in every JavaScript object.
 */
export function parseExactJson(text: string): unknown {
  if (!losesDigits.test(text)) return JSON.parse(text);
  return json.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** Whether the value represents a number, although `typeof` calls it an object. */
export function isRawNumber(value: unknown): value is RawNumber {
  return typeof value === 'object' && value !== null && json.isRawJSON?.(value) === true;
}

/** Whether the value is a parsed JSON number, in either form. */
export function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || isRawNumber(value);
}

/**
 * Returns one form for all written forms of a number: `1`, `1.0` and `10e-1` are equal in it, and numbers that differ
 * only in digits that a double loses are not. A number whose exponent exceeds all bounds stays as it is.
 */
export function canonicalNumber(number: number | RawNumber): RawNumber {
  const written = numberText(number);
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return json.rawJSON('0');
  // A regular expression for the zeros at the end would take time that grows with the square of the length.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const exponent = Number(power) - fraction.length + digits.length - end;
  return json.rawJSON(Number.isSafeInteger(exponent) ? `${sign}${digits.slice(0, end)}e${exponent}` : written);
}

/** Returns the nearest double. */
export function toDouble(number: number | RawNumber): number {
  return typeof number === 'number' ? number : Number(number.rawJSON);
}

/** Returns the number as JSON text. */
export function numberText(number: number | RawNumber): string {
  return typeof number === 'number' ? String(number) : number.rawJSON;
}

/**
 * An object of parsed JSON. Copies keep the order of its members. If a client chose the names, read the members with
 * {@link own}, which ignores inherited ones.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Returns an object's own member; `undefined` for inherited members and for values that are not objects. */
export function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the value is text, and not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** Creates an object with these members. Unlike an assignment, this makes `__proto__` an own member too. */
export function objectOf(members: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(members);
}

/** Deeper than any Flow JSON, and far below the depth at which recursion over a value would exhaust the stack. */
export const maxJsonDepth = 200;

/** Whether arrays and objects nest deeper than `limit`. It goes no deeper itself, so it cannot exhaust the stack. */
export function nestsDeeperThan(limit: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  return limit === 0 || Object.values(value).some((member) => nestsDeeperThan(limit - 1, member));
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}

/** Parses JSON; returns `undefined` if the text is invalid. */
export function parseJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Returns `undefined` for a value with thousands of nested levels, which cannot be written as JSON. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

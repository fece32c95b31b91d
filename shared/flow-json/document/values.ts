import { isObject, listOf, own } from '#shared/base/json.ts';

export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text);
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** The day of the week of a day, given as `YYYY-MM-DD`. */
export function weekdayOf(day: string): string | undefined {
  return weekdays.at(new Date(day).getUTCDay() - 1);
}

/** Returns whether the value is a day of the calendar, as `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** The image types that phones show, with the first characters of their base64 text. */
const imageTypes: readonly (readonly [start: string, type: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['iVBORw0KGgo', 'image/png'],
  ['UklGR', 'image/webp'],
];
const dataUrlPrefix = /^data:image\/[\w.+-]+;base64,/;
const notBase64 = /[^A-Za-z0-9+/=]/;

/**
 * The `data:` URL of an image that Flow JSON holds as base64, with or without its own `data:` prefix. The type comes
 * from the first bytes, never from the prefix. Undefined if it is not an image.
 */
export function imageDataUrl(source: string): string | undefined {
  const base64 = source.slice(dataUrlPrefix.exec(source)?.[0].length ?? 0);
  const type = imageTypes.find(([start]) => base64.startsWith(start))?.[1];
  return type !== undefined && !notBase64.test(base64) ? `data:${type};base64,${base64}` : undefined;
}

/** The size in bytes of the data that a base64 text encodes. */
export function decodedSize(source: string): number {
  const base64 = source.length - (dataUrlPrefix.exec(source)?.[0].length ?? 0);
  return Math.floor((base64 * 3) / 4);
}

/**
 * A value of a parsed document. The reader takes it in either form: as `JSON.parse` makes it, or with its place in the
 * text. Reading what is not there, or is of another type, yields nothing and never throws.
 */
export interface JsonValue<Self> {
  readonly value: unknown;
  readonly string: string | undefined;
  readonly isObject: boolean;
  member(name: string): Self | undefined;
  members(): readonly { readonly name: string; readonly value: Self }[];
  items(): readonly Self[];
}

/** A value as `JSON.parse` makes it. */
export class ParsedValue implements JsonValue<ParsedValue> {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get string(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  member(name: string): ParsedValue | undefined {
    const member = own(this.value, name);
    return member === undefined ? undefined : new ParsedValue(member);
  }

  members(): { name: string; value: ParsedValue }[] {
    if (!isObject(this.value)) return [];
    return Object.entries(this.value).map(([name, value]) => ({ name, value: new ParsedValue(value) }));
  }

  items(): ParsedValue[] {
    return listOf(this.value).map((item) => new ParsedValue(item));
  }
}

/** The address of a web page; undefined for any other text, such as one that starts with `javascript:`. */
export function parseWebAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** What an input holds: a `period` is a date or an object with two dates, `media` is a list of uploaded files. */
export type InputKind = 'string' | 'strings' | 'boolean' | 'period' | 'media';

const inputKinds: Readonly<Record<string, InputKind>> = {
  TextInput: 'string',
  TextArea: 'string',
  CheckboxGroup: 'strings',
  RadioButtonsGroup: 'string',
  ChipsSelector: 'strings',
  Dropdown: 'string',
  DatePicker: 'string',
  CalendarPicker: 'period',
  OptIn: 'boolean',
  PhotoPicker: 'media',
  DocumentPicker: 'media',
};

/** Undefined for a component that is not an input. */
export function inputKindOf(type: string): InputKind | undefined {
  return Object.hasOwn(inputKinds, type) ? inputKinds[type] : undefined;
}

/** The values of a TextInput's `input-type` that allow a `pattern`. */
export const inputTypesWithPattern: readonly string[] = ['text', 'number', 'password', 'passcode'];

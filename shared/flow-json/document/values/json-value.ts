import { isObject, listOf, own } from '#shared/base/json.ts';

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

import * as z from 'zod/mini';

export const dateTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
z.globalRegistry.add(dateTime, { format: 'date-time', examples: ['2026-01-31T08:15:30.123000Z'] });

/** A member that only responses have: a `PUT` takes it back and ignores it. */
const readOnly = z.optional(z.unknown());
z.globalRegistry.add(readOnly, {
  readOnly: true,
  description: 'Only responses have it. A request may send it back; it is ignored.',
});

export type ReadOnlyMember = typeof readOnly;

/** The members of a response in the body of a `PUT`, so that clients can send back what they have read. */
export function readOnlyMembers<S extends z.core.$ZodShape>(shape: S) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, readOnly])) as Record<keyof S, typeof readOnly>;
}

/** A text with this many characters, counted as in JSON Schema: an emoji of two UTF-16 units is one character. */
export function textUpTo(max: number, ...checks: z.core.$ZodCheck<string>[]) {
  const withinLimit = z.check<string>(({ value, issues }) => {
    if ([...value].length <= max) return;
    issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
  });
  const text = z.string().check(withinLimit, ...checks);
  z.globalRegistry.add(text, { maxLength: max });
  return text;
}

/** Declares a response that is a page for people. */
export const htmlResponse = (description: string) => ({
  description,
  body: z.string(),
  mediaType: 'text/html; charset=utf-8',
});

const bytes = z.custom<Buffer>(Buffer.isBuffer);
z.globalRegistry.add(bytes, { type: 'string', format: 'binary' });

/** Declares a response that is a file; its `content-type` header states which kind. */
export const fileResponse = (description: string) => ({ description, body: bytes, mediaType: '*/*' });

/** What a schema carries in the registry until the API description puts each text on its member. */
export const textsKey = 'x-texts';

/**
 * A text for each member, and for members of members by their path: `status.id`, `categories[].code`. Members that a
 * `PUT` only takes back have theirs already.
 */
type Texts<S extends z.ZodMiniObject> = () => {
  readonly [Name in keyof S['shape'] as S['shape'][Name] extends ReadOnlyMember ? never : Name]: string;
};

/**
 * Describes the members of a schema for the API description. Calls are marked as pure and give the texts in a function,
 * so esbuild leaves both out of every bundle: `get-openapi` has the document that the build made of them.
 */
export function describeMembers<S extends z.ZodMiniObject>(schema: S, texts: Texts<S>): void {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), [textsKey]: texts() });
}

export function describeComponent<S extends z.ZodMiniObject>(id: string, schema: S, texts: Texts<S>): void {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  describeMembers(schema, texts);
}

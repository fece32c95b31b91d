import { type JsonObject, writeJson } from '#shared/base/json.ts';

/** The forms of a notification: that of the specification, or that of Meta's own webhooks. */
export const formats = ['standard', 'meta'] as const;

export type Format = (typeof formats)[number];

/** A part of a webhook body of Meta: one of its changes, and the entry without them. */
export interface MetaChange {
  /** What the entry says besides: the id of the business account, and usually a time. */
  readonly entry: JsonObject;
  readonly field: string;
  readonly value: unknown;
}

/**
 * Writes a change as Meta's webhooks do: in the envelope, and in ASCII with escapes in lower case. So the bytes are the
 * same for receivers that hash what they get and for those that escape it first. Returns `undefined` for a value with
 * thousands of nested levels.
 */
export function metaBody({ entry: { changes: _, ...about }, field, value }: MetaChange): string | undefined {
  const entry = [{ ...about, changes: [{ field, value }] }];
  return writeJson({ object: 'whatsapp_business_account', entry })?.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

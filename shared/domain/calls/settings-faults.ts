import type { FieldError } from '../errors/field-error.ts';

/** The upstream has the settings in `calling`. It would ignore another one inside, and with it the whole request. */
export function settingsFaults(body: Readonly<Record<string, unknown>>): FieldError[] {
  return body.calling === undefined ? [] : [{ field: 'calling', rule: 'unknown_member', values: {} }];
}

import type { ErrorValues } from '#shared/domain/errors/field-error.ts';
import type { Language, Text } from '../language/language.ts';

/** Describes the response to an error with one code. */
export interface ErrorEntry {
  status: number;
  /** The error knows when the request can succeed, and its response says so in `Retry-After`. */
  saysWhen?: true;
  /** The text of the message; `{name}` stands for a value of the error. */
  text: Text;
  /** Replaces values that depend on the language. */
  localise?: (values: ErrorValues, language: Language) => ErrorValues;
}

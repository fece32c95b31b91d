import type { ErrorValues } from '#shared/domain/errors/field-error.ts';
import type { Language, Text } from '../language/language.ts';

/** How an error of one code becomes a response. */
export interface ErrorEntry {
  status: number;
  /** `{name}` marks a value of the error. */
  text: Text;
  /** Replaces values that depend on the language. */
  localise?: (values: ErrorValues, language: Language) => ErrorValues;
}

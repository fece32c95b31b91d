import type { ErrorValues } from '#shared/base/field-error.ts';
import type { Explanation } from '#shared/base/upstream-error.ts';
import { type Language, render, type Text } from './language.ts';

/** Describes the response to an error with one code: its message, in which `{name}` stands for a value of the error. */
export interface ErrorEntry extends Text {
  status: number;
  /** The error knows when the request can succeed, and its response says so in `Retry-After`. */
  saysWhen?: true;
  /** Replaces values that depend on the language. */
  localise?: (values: ErrorValues, language: Language) => ErrorValues;
}

/** Renders the explanation of an upstream error. */
export type Explain = (explanation: Explanation, language: Language) => string;

/**
 * Loads the texts of a subject. Each subject has its own, so bundles hold only what they use, and a function loads them
 * with its first error.
 */
export type LoadExplain = () => Promise<Explain>;

/** Renders explanations with the text for their code. */
export function explainWith(texts: Readonly<Record<string, Text>>): Explain {
  return ({ code, values }, language) => {
    const text = texts[code];
    if (!text) throw new Error(`There is no text for ${code}`);
    return render(text, language, values);
  };
}

/** Returns the texts with the subject in front of their names, as in the codes of explanations. */
export const textsOf = (subject: string, texts: Readonly<Record<string, Text>>): Record<string, Text> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${subject}.${name}`, text]));

import type { ErrorValues } from '#shared/base/field-error.ts';
import type { ErrorCode } from '#shared/base/service-error.ts';
import type { Explanation, UpstreamError, UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type Language, render, type Text } from './language.ts';

/** Describes the response to an error with one code: its message, in which `{name}` stands for a value of the error. */
export interface ErrorEntry extends Text {
  status: number;
  /** The error knows when the request can succeed, and its response says so in `Retry-After`. */
  saysWhen?: true;
  /** Replaces values that depend on the language. */
  localise?: (values: ErrorValues, language: Language) => ErrorValues;
}

/** Codes are in snake case for clients. */
type SnakeCase<Code extends string> = Code extends `${infer Start}${'.' | '-'}${infer Rest}`
  ? `${Start}_${SnakeCase<Rest>}`
  : Code;

/** The codes of failures of the upstream. `outcome-unknown` is one after which the request may have had its effect. */
export const upstreamCodes = {
  rejected: 'upstream_rejected',
  forbidden: 'upstream_rejected',
  'rate-limited': 'rate_limited',
  credentials: 'upstream_credentials_rejected',
  unavailable: 'upstream_unavailable',
  unreachable: 'upstream_unavailable',
  timeout: 'upstream_timeout',
  'broken-response': 'upstream_response_broken',
  'outcome-unknown': 'upstream_outcome_unknown',
} as const satisfies Record<UpstreamFailure | 'outcome-unknown', string>;

export const internalCode = 'internal_error';

export type PublicCode =
  | SnakeCase<ErrorCode>
  | (typeof upstreamCodes)[keyof typeof upstreamCodes]
  | typeof internalCode;

/** Returns the code of a response's `x-error-code`. It follows from the error's own code, so none can lack one. */
export const publicCode = (code: ErrorCode) => code.replaceAll(/[.-]/g, '_') as PublicCode;

export function publicCodeOfUpstream({ failure, meaning }: UpstreamError): PublicCode {
  return upstreamCodes[meaning?.code.endsWith('.outcome-unknown') ? 'outcome-unknown' : failure];
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

import { isNested, parseReference } from '#shared/flow-json/document/expression.ts';
import { compilePattern, PatternError } from '#shared/flow-json/document/pattern.ts';
import type { Format } from '#shared/flow-json/document/shapes.ts';
import { imageDataUrl, isColor, isDay, parseWebAddress } from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';

/** Returns whether a text is a dynamic value, in a form that the version supports. */
export function isDynamic(value: string, version: Version): boolean {
  return parseReference(value) !== undefined || (isAtLeast(version, '6.0') && isNested(value));
}

export interface FormatRules {
  /** The name of the format in messages. */
  readonly written: string;
  readonly matches: (text: string) => boolean;
  /** A text of the wrong format is only a warning: the upstream accepts it. */
  readonly isLenient?: true;
  /** Meta's code for a text of the wrong format, where it differs from the general one. */
  readonly faultCode?: string;
}

export const formats: Readonly<Record<Format, FormatRules>> = {
  'base64-image': { written: 'base64', matches: (text) => imageDataUrl(text) !== undefined, isLenient: true },
  color: { written: '#RRGGBB', matches: isColor },
  date: {
    written: 'YYYY-MM-DD',
    // Endpoints send an empty text if there is no date.
    matches: (text) => text === '' || isDay(text),
  },
  digits: { written: 'number', matches: (text) => /^\d{1,9}$/.test(text), faultCode: 'PATTERN_MISMATCH' },
  // A pattern that is not supported here may still be valid on phones.
  pattern: { written: 'regex', matches: (text) => patternFault(text)?.isUnsupported ?? true },
  uri: { written: 'uri', matches: (text) => parseWebAddress(text) !== undefined },
};

/**
 * What is wrong with a pattern, or not supported by previews: they run patterns from strangers, so they support only
 * what needs no backtracking.
 */
export function patternFault(source: string): PatternError | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error;
  }
}

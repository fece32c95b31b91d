import { isNested, parseReference } from '#shared/flow-json/document/expression.ts';
import type { FindingCode } from '#shared/flow-json/document/finding-code.ts';
import { compilePattern } from '#shared/flow-json/document/pattern.ts';
import type { Format } from '#shared/flow-json/document/shapes.ts';
import {
  imageDataUrl,
  isColor,
  parseDate,
  parseWebAddress,
  writesTimestamps,
} from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';

/** Whether a text is a dynamic value, in a form that the version supports. */
export function isDynamic(value: string, version: Version): boolean {
  const reference = parseReference(value);
  if (reference === undefined) return isAtLeast(version, '6.0') && isNested(value);
  return reference.screen === undefined || isAtLeast(version, '4.0');
}

export interface FormatRules {
  /** The name of the format in messages. */
  readonly written: (version: Version) => string;
  readonly matches: (text: string, version: Version) => boolean;
  /** A text of the wrong format is only a warning: the upstream accepts it. */
  readonly isLenient?: true;
  /** Meta's code for a text of the wrong format, where it differs from the general one. */
  readonly faultCode?: FindingCode;
}

export const formats: Readonly<Record<Format, FormatRules>> = {
  'base64-image': { written: () => 'base64', matches: (text) => imageDataUrl(text) !== undefined, isLenient: true },
  color: { written: () => '#RRGGBB', matches: isColor },
  date: {
    written: (version) => (writesTimestamps(version) ? 'milliseconds since the epoch' : 'YYYY-MM-DD'),
    // Endpoints send an empty text if there is no date.
    matches: (text, version) => text === '' || parseDate(text, version) !== undefined,
  },
  digits: { written: () => 'number', matches: (text) => /^\d{1,9}$/.test(text), faultCode: 'PATTERN_MISMATCH' },
  pattern: { written: () => 'regex', matches: (text) => compilePattern(text) !== undefined },
  uri: { written: () => 'uri', matches: (text) => parseWebAddress(text) !== undefined },
};

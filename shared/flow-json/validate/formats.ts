import type { FindingCode } from '../document/finding-code.ts';
import type { Format } from '../document/shapes.ts';
import { isColor } from '../document/values/color.ts';
import { parseDate, writesTimestamps } from '../document/values/dates.ts';
import { imageDataUrl } from '../document/values/image-data.ts';
import { compilePattern, PatternError } from '../document/values/pattern.ts';
import { parseWebAddress } from '../document/values/web-address.ts';
import type { Version } from '../document/versions.ts';

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
  pattern: { written: () => 'regex', matches: isPattern },
  uri: { written: () => 'uri', matches: (text) => parseWebAddress(text) !== undefined },
};

/** A pattern that is not supported here may still be valid on phones. */
function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return error.isUnsupported;
    throw error;
  }
}

import { isColor } from '../document/color.ts';
import { parseDate, writesTimestamps } from '../document/dates.ts';
import type { FindingCode } from '../document/finding-code.ts';
import { imageDataUrl } from '../document/image-data.ts';
import { compilePattern, PatternError } from '../document/pattern.ts';
import type { Format } from '../document/shapes.ts';
import type { Version } from '../document/versions.ts';
import { parseWebAddress } from '../document/web-address.ts';

export interface FormatRules {
  /** What messages call it. */
  readonly written: (version: Version) => string;
  readonly matches: (text: string, version: Version) => boolean;
  /** A text of the wrong format is seen on phones only. */
  readonly isLenient?: true;
  /** Meta's code for a wrong text, where it is not the one of formats in general. */
  readonly faultCode?: FindingCode;
}

export const formats: Readonly<Record<Format, FormatRules>> = {
  'base64-image': { written: () => 'base64', matches: (text) => imageDataUrl(text) !== undefined, isLenient: true },
  color: { written: () => '#RRGGBB', matches: isColor },
  date: {
    written: (version) => (writesTimestamps(version) ? 'milliseconds since the epoch' : 'YYYY-MM-DD'),
    // An empty text is no date, which is what an endpoint sends for none.
    matches: (text, version) => text === '' || parseDate(text, version) !== undefined,
  },
  digits: { written: () => 'number', matches: (text) => /^\d{1,9}$/.test(text), faultCode: 'PATTERN_MISMATCH' },
  pattern: { written: () => 'regex', matches: isPattern },
  uri: { written: () => 'uri', matches: (text) => parseWebAddress(text) !== undefined },
};

/** What cannot be followed here may well be a pattern for phones. */
function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return error.isUnsupported;
    throw error;
  }
}

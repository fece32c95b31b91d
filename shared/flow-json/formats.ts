import { isDate } from './dates.ts';
import { imageDataUrl } from './image-data.ts';
import { compilePattern, PatternError } from './pattern.ts';
import type { Format } from './shapes.ts';
import { isAtLeast, type Version } from './versions.ts';

export interface FormatRules {
  /** What messages call it. */
  readonly written: string;
  readonly matches: (text: string, version: Version) => boolean;
  /** A text of the wrong format is seen on phones only. */
  readonly isLenient?: true;
}

const LAST_VERSION_WITH_TIMESTAMPS: Version = '4.0';

export const FORMATS: Readonly<Record<Format, FormatRules>> = {
  'base64-image': { written: 'base64', matches: (text) => imageDataUrl(text) !== undefined, isLenient: true },
  color: { written: '#RRGGBB', matches: (text) => /^#[\da-fA-F]{6}$/.test(text) },
  date: { written: 'YYYY-MM-DD', matches: isDateOrTimestamp },
  digits: { written: 'number', matches: (text) => /^\d{1,9}$/.test(text) },
  pattern: { written: 'regex', matches: isPattern },
  uri: { written: 'uri', matches: isWebAddress },
};

/** An empty text is no date, which is what an endpoint sends for none. */
function isDateOrTimestamp(text: string, version: Version): boolean {
  const takesTimestamps = isAtLeast(LAST_VERSION_WITH_TIMESTAMPS, version);
  return text === '' || isDate(text) || (takesTimestamps && /^-?\d{1,17}$/.test(text));
}

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

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}

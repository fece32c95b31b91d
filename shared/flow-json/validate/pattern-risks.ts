import { compilePattern, PatternError } from '../document/pattern.ts';

/**
 * What in a `pattern` matters; an escaped character, a set and anything else is one token each. A set that does not end
 * goes to the end, so that nothing is read twice.
 */
const tokenPattern = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|[()*+]|\{\d*,\}|./gsu;

/** Of a longer one no more is looked at. */
const maxLength = 5_000;

/** How a `pattern` may behave otherwise on phones than here, each continuing "Property 'pattern' …". */
export function patternRisks(source: string): string[] {
  const unsupported = unsupportedPart(source);
  return [
    ...(unsupported === undefined
      ? []
      : [`is not checked by previews, which lets every text pass: ${unsupported}. Phones may still follow it`]),
    ...(nestsRepetition(source)
      ? ['repeats what repeats itself: some engines of regular expressions take very long over texts that nearly match']
      : []),
  ];
}

/**
 * Previews run patterns of strangers, so they know only what needs no going back: no look-around, no back-references.
 */
function unsupportedPart(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.isUnsupported ? error.message : undefined;
  }
}

/** Whether an endless repetition holds another, as in `(a+)+`. */
function nestsRepetition(source: string): boolean {
  /** Of each group that is open, whether it has a repetition so far. */
  const groups = [false];
  let closedRepeats = false;
  for (const [token] of source.slice(0, maxLength).matchAll(tokenPattern)) {
    const isRepetition = /^(?:[*+]|\{.*\})$/.test(token);
    if (isRepetition && closedRepeats) return true;
    if (token === '(') groups.push(false);
    closedRepeats = token === ')' && groups.length > 1 && groups.pop() === true;
    if (isRepetition || closedRepeats) groups[groups.length - 1] = true;
  }
  return false;
}

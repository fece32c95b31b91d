import { compilePattern, PatternError } from '../document/values/pattern.ts';

/**
 * The tokens of a `pattern` that matter here; an escaped character and a set are one token each. A set that is not
 * closed extends to the end, so that nothing is read twice.
 */
const tokenPattern = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|[()*+]|\{\d*,\}|./gsu;

/** Nested repetitions beyond this length are not reported. */
const maxCheckedLength = 5_000;

/** How a `pattern` may behave differently on phones. Each text continues "Property 'pattern' …". */
export function patternRisks(source: string): string[] {
  const unsupported = unsupportedPart(source);
  return [
    ...(unsupported === undefined
      ? []
      : [`is not checked in previews, which accept any text: ${unsupported}. Phones may still apply it`]),
    ...(nestsRepetition(source)
      ? ['nests one repetition in another: some regular expression engines take very long on texts that almost match']
      : []),
  ];
}

/** Previews run patterns from strangers, so they support only what needs no backtracking. */
function unsupportedPart(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.isUnsupported ? error.message : undefined;
  }
}

/** Whether an unlimited repetition contains another, as in `(a+)+`. */
function nestsRepetition(source: string): boolean {
  /** For each open group, whether it contains a repetition so far. */
  const groups = [false];
  let closedRepeats = false;
  for (const [token] of source.slice(0, maxCheckedLength).matchAll(tokenPattern)) {
    const isRepetition = /^(?:[*+]|\{.*\})$/.test(token);
    if (isRepetition && closedRepeats) return true;
    if (token === '(') groups.push(false);
    closedRepeats = token === ')' && groups.length > 1 && groups.pop() === true;
    if (isRepetition || closedRepeats) groups[groups.length - 1] = true;
  }
  return false;
}

/** Compiles the pattern of an input, which has to match the whole text; `undefined` if it is no regular expression. */
export function compilePattern(source: string): RegExp | undefined {
  // Without `u`, more characters may have a backslash in front of them.
  return compile(source, 'u') ?? compile(source, '');
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    // Alone, because parentheses around it could complete it.
    new RegExp(source, flags);
    return new RegExp(`^(?:${source})$`, flags);
  } catch {
    return undefined;
  }
}

/**
 * The tokens of a `pattern` that matter here; an escaped character and a set are one token each. A set that is not
 * closed extends to the end, so that nothing is read twice.
 */
const tokenPattern = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|[()*+]|\{\d*,\}|./gsu;

/** Nested repetitions beyond this length are not found. */
const maxCheckedLength = 5_000;

/**
 * Whether an unlimited repetition contains another, as in `(a+)+`. On a text that almost matches, such a pattern can take
 * for ever.
 */
export function nestsRepetition(source: string): boolean {
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

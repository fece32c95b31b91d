/** Longer names are not compared, because the time grows with the product of both lengths. */
const longestName = 64;

/** A name and another one may differ in every third character. */
const charactersPerEdit = 3;

/**
 * Returns the one of `names` that the person who wrote `name` probably meant, if any: the same word in another case or
 * with other separators (`secondaryWebhook`), or one with a few typing errors (`limt`).
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const written = lettersOf(name);
  let nearest: { name: string; edits: number } | undefined;
  for (const candidate of names) {
    const meant = lettersOf(candidate);
    const edits = countEdits(written, meant);
    const isNear = edits <= Math.max(written.length, meant.length) / charactersPerEdit;
    if (isNear && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY)) nearest = { name: candidate, edits };
  }
  return nearest?.name;
}

/** The characters of a name, whatever its case, its separators and its form of Unicode. */
function lettersOf(name: string): string[] {
  return [
    ...name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_.-]/g, ''),
  ];
}

/**
 * Counts the characters to insert, delete, replace or swap with their neighbour until one word is the other (the
 * optimal string alignment distance, a form of Damerau-Levenshtein).
 */
function countEdits(one: readonly string[], other: readonly string[]): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, character] of one.entries()) {
    const current = [row + 1];
    for (const [column, candidate] of other.entries()) {
      const edits = [
        at(previous, column + 1) + 1,
        at(current, column) + 1,
        at(previous, column) + (character === candidate ? 0 : 1),
      ];
      const isSwap = row > 0 && column > 0 && character === other[column - 1] && one[row - 1] === candidate;
      if (isSwap) edits.push(at(beforePrevious, column - 1) + 1);
      current.push(Math.min(...edits));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, other.length);
}

const at = (numbers: readonly number[], index: number) => numbers[index] ?? Number.POSITIVE_INFINITY;

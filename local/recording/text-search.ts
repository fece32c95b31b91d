/** The lengths of the starts by which texts are found. */
const startLengths = [32, 16, 8, 4];

/**
 * Finds any of many texts in another one. They are kept by their first characters, so that the time hardly depends on
 * how many there are. None may be shorter than four characters.
 */
export class TextSearch {
  readonly #byStart = new Map<string, string[]>();

  constructor(texts: readonly string[]) {
    for (const text of new Set(texts)) {
      const start = text.slice(
        0,
        startLengths.find((length) => length <= text.length),
      );
      const sameStart = this.#byStart.get(start);
      if (sameStart) sameStart.push(text);
      else this.#byStart.set(start, [text]);
    }
  }

  /** Whether one of the texts occurs in a text, at a place that counts. */
  some(text: string, counts: (found: string, at: number) => boolean): boolean {
    for (let at = 0; at < text.length; at++) {
      for (const length of startLengths) {
        const sameStart = this.#byStart.get(text.slice(at, at + length));
        if (sameStart?.some((one) => text.startsWith(one, at) && counts(one, at))) return true;
      }
    }
    return false;
  }
}

/** Returns a text of at most this many characters, with an ellipsis for the rest. It splits no emoji. */
export function shortened(text: string, maxCharacters: number): string {
  // A character has at most two units, so no more of a long text is looked at.
  const characters = [...text.slice(0, 2 * maxCharacters + 1)];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters).join('')}…`;
}

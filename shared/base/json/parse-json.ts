/** Parses JSON; returns `undefined` if the text is invalid. */
export function parseJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

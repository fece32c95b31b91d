/** The JSON value that the bytes hold, `undefined` when they hold none. */
export function parseJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

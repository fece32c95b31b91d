/** Returns `undefined` for a value with thousands of nested levels, which cannot be written as JSON. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A part of the page's address. One that cannot be decoded is used as it is, and names nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

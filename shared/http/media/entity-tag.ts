/** Builds the strong entity tag of content with this SHA-256 (hex). */
export function entityTag(sha256: string): string {
  return `"${sha256}"`;
}

/** Whether `If-None-Match` has the tag, by weak comparison, or `*` (RFC 9110 §13.1.2). */
export function isNamed(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim());
  return named.some((entry) => entry === '*' || entry.replace(/^W\//, '') === tag);
}

/** Whether a range may be sent: there is no `If-Range`, or it equals the tag (RFC 9110 §13.1.5). */
export function isUnchanged(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || ifRange.trim() === tag;
}

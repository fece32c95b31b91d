/** The charset in a `Content-Type` (RFC 9110, section 8.3.1), also in the single quotes that some servers write. */
const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i;

/** A byte order mark says more than any label (WHATWG Encoding Standard, "decode"). */
const marks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
] as const;

/**
 * The text of a body in its own charset, or in UTF-8 if it names none that this Node knows. U+FFFD replaces what is
 * invalid in it, but for a character that the cut has split: that one is left out.
 */
export function decodedText(body: Buffer, contentType: string | undefined, isCut: boolean): string {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => body[index] === byte))?.[0];
  return decoderFor(marked ?? charset.exec(contentType ?? '')?.[1] ?? 'utf-8').decode(body, { stream: isCut });
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

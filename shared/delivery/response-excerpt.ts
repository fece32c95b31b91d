import type { PostResponse } from '#shared/egress/post.ts';
import { type ReceiverHeaders, secretsIn, shortestSecret } from '#shared/webhooks/receiver-headers.ts';
import { hiddenIn, redact } from '#shared/webhooks/redact.ts';
import { sharedSecrets, type TargetSecrets } from '#shared/webhooks/webhook-signature.ts';

/** What a receiver may repeat in a response, and the log must not show. */
export interface KnownToReceiver {
  headers?: ReceiverHeaders | undefined;
  secrets?: TargetSecrets;
}

/** The beginning of a response. A receiver may repeat its headers there, or show its settings. */
export function excerptOf(
  { body, contentType }: Pick<PostResponse, 'body' | 'contentType'>,
  bytes: number,
  { headers = {}, secrets: own }: KnownToReceiver,
): string {
  const isCut = body.length > bytes;
  const start = body.subarray(0, bytes);
  const text = decodedText(start, contentType, isCut);
  // Most responses are as short as `ok`, and to find all forms of the secrets takes longer than the rest.
  if (start.length < shortestSecret) return text;
  const secrets = secretsIn(headers, own && sharedSecrets(own));
  if (secrets.length === 0) return text;
  const redacted = redact(text, secrets, isCut);
  // A receiver that names a wrong charset writes its secrets in ASCII all the same, and their bytes must not show either.
  const asUtf8 = redact(start.toString('utf8'), secrets, isCut);
  return hiddenIn(asUtf8) > hiddenIn(redacted) ? asUtf8 : redacted;
}

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

import type { PostResponse } from '#shared/egress/post.ts';
import type { Attempt } from '#shared/egress/sender.ts';
import { referenceHeaders } from '#shared/messages/flow-message.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import { type ReceiverHeaders, secretsIn } from '#shared/webhooks/receiver-headers.ts';
import { hiddenIn, redact } from '#shared/webhooks/redact.ts';
import { type SigningSecrets, validSecrets } from '#shared/webhooks/signing-secrets.ts';
import { signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { type AttemptRecord, receivedStatus } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** How much of a response the log keeps. The text of a 200 is rarely interesting. */
const excerptBytes = { received: 100, failed: 500 };

export interface Notification {
  /** The id of the delivery. */
  id: string;
  url: string;
  /** The exact text to send. */
  body: string;
  /** The signing secrets of the subscriber. */
  secrets: SigningSecrets;
  /** The receiver's own headers. */
  headers?: ReceiverHeaders | undefined;
  /** The sent Flow that the message completes. */
  sentFlow?: SentFlowReference | undefined;
}

export type AttemptContext = Pick<DeliveryContext, 'sender' | 'timeoutMs' | 'now'>;

/** Makes one POST of a notification, with a signature for the current time. */
export function makeAttempt(
  { id, url, body, secrets, headers: own, sentFlow }: Notification,
  { sender, timeoutMs, now }: AttemptContext,
): Promise<Attempt> {
  const headers = { ...own, ...referenceHeaders(sentFlow), ...notificationHeaders(id, body, secrets, now()) };
  return sender.post({ url, headers, body, timeoutMs });
}

/** Returns the headers that sign a notification with every valid secret (Standard Webhooks). */
export function notificationHeaders(
  id: string,
  body: string,
  secrets: SigningSecrets,
  now: number,
): Record<string, string> {
  return { ...signatureHeaders({ id, timestamp: Math.floor(now / 1000), body, secrets: validSecrets(secrets, now) }) };
}

export function isReceived(attempt: Attempt): boolean {
  return attempt.outcome === 'responded' && attempt.status === receivedStatus;
}

/** Returns the attempt in the form that the log keeps. It contains no value of the receiver's own headers. */
export function attemptRecord(
  attempt: Attempt,
  endedAt: number,
  { isReplay: replay = false, headers }: { isReplay?: boolean; headers?: ReceiverHeaders | undefined } = {},
): AttemptRecord {
  const duration_ms = Math.round(attempt.durationMs);
  const record = { at: endedAt - duration_ms, duration_ms, ...(replay && { replay }) };
  if (attempt.outcome === 'failed') return { ...record, error: attempt.error };
  const kept = isReceived(attempt) ? excerptBytes.received : excerptBytes.failed;
  const excerpt = excerptOf(attempt, kept, headers);
  return { ...record, status: attempt.status, ...(excerpt !== '' && { excerpt }) };
}

/** The beginning of a response. A receiver may repeat its headers there. */
function excerptOf(
  { body, contentType }: Pick<PostResponse, 'body' | 'contentType'>,
  bytes: number,
  headers: ReceiverHeaders | undefined,
): string {
  const isCut = body.length > bytes;
  const start = body.subarray(0, bytes);
  const secrets = headers === undefined ? [] : secretsIn(headers);
  const text = decodedText(start, contentType, isCut);
  if (secrets.length === 0 || text === '') return text;
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

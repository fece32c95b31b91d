import { type AttemptRecord, receivedStatus } from '../deliveries/delivery.ts';
import type { Attempt, PostResponse } from '../egress/sender.ts';
import { referenceHeaders } from '../sent-flows/reference-headers.ts';
import type { SentFlowReference } from '../sent-flows/sent-flow.ts';
import { signatureHeaders } from '../signing/webhook-signature.ts';
import { type ReceiverHeaders, secretsIn } from '../subscribers/receiver-headers.ts';
import { hiddenIn, redact } from '../subscribers/redact.ts';
import { type SigningSecrets, validSecrets } from '../subscribers/signing-secrets.ts';
import type { DeliveryContext } from './context.ts';
import { decodedText } from './decoded-text.ts';

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
  onReady?: () => void,
): Promise<Attempt> {
  const headers = { ...own, ...referenceHeaders(sentFlow), ...notificationHeaders(id, body, secrets, now()) };
  return sender.post({ url, headers, body, timeoutMs, ...(onReady && { onReady }) });
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

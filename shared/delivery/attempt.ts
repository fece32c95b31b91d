import { describeError, log, withLogContext } from '#shared/base/logger.ts';
import type { Attempt, PostResponse } from '#shared/egress/post.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import { type Breaker, isOpen, isOpenedBy, nextProbeAt } from '#shared/webhooks/breaker.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import {
  type ReceiverHeaders,
  referenceHeaders,
  secretsIn,
  shortestSecret,
} from '#shared/webhooks/receiver-headers.ts';
import { showsSecret } from '#shared/webhooks/secret-in-text.ts';
import {
  hubSignature,
  hubSignatureHeader,
  type SigningSecrets,
  sharedSecrets,
  signatureHeaders,
  type TargetSecrets,
  validSecrets,
} from '#shared/webhooks/webhook-signature.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import { type AttemptRecord, type ClaimedDelivery, receivedStatus } from './delivery.ts';
import type { DeliveryContext, Outcome } from './delivery-context.ts';
import { resetBreaker } from './drain.ts';
import { afterFailure } from './retry-schedule.ts';

/** How much of a response the log keeps. The text of a 200 is rarely interesting. */
const excerptBytes = { received: 100, failed: 500 };

export interface Notification {
  /** The id of the delivery. */
  id: string;
  url: string;
  /** That of the text, which decides how it is signed. */
  format?: Format | undefined;
  /** The exact text to send. */
  body: string;
  /** The secrets of the target. */
  secrets: SigningSecrets & Pick<TargetSecrets, 'app_secret'>;
  /** The receiver's own headers. */
  headers?: ReceiverHeaders | undefined;
  /** The sent Flow that the message completes. */
  sentFlow?: SentFlowReference | undefined;
}

export type AttemptContext = Pick<DeliveryContext, 'sender' | 'timeoutMs' | 'now'>;

/** Makes one POST of a notification, with a signature for the current time. */
export function makeAttempt(
  { url, headers: own, sentFlow, ...notification }: Notification,
  { sender, timeoutMs, now }: AttemptContext,
): Promise<Attempt> {
  const headers = { ...own, ...referenceHeaders(sentFlow), ...notificationHeaders(notification, now()) };
  return sender.post({ url, headers, body: notification.body, timeoutMs });
}

/**
 * Returns the headers that sign a notification: with every valid secret (Standard Webhooks), and in Meta's format also
 * with the app secret, of which there is only one.
 */
export function notificationHeaders(
  { id, format, body, secrets }: Pick<Notification, 'id' | 'format' | 'body' | 'secrets'>,
  now: number,
): Record<string, string> {
  const { app_secret } = secrets;
  const timestamp = Math.floor(now / 1000);
  return {
    ...signatureHeaders({ id, timestamp, body, secrets: validSecrets(secrets, now) }),
    ...(format === 'meta' && app_secret && { [hubSignatureHeader]: hubSignature(body, app_secret) }),
  };
}

export function isReceived(attempt: Attempt): boolean {
  return attempt.outcome === 'responded' && attempt.status === receivedStatus;
}

/** What a receiver may repeat in a response, and the log must not show. */
export interface KnownToReceiver {
  headers?: ReceiverHeaders | undefined;
  secrets?: TargetSecrets;
}

/** Returns the attempt in the form that the log keeps. It contains no secret, and no value of the receiver's headers. */
export function attemptRecord(
  attempt: Attempt,
  endedAt: number,
  { isReplay: replay = false, ...known }: KnownToReceiver & { isReplay?: boolean | undefined } = {},
): AttemptRecord {
  const duration_ms = Math.round(attempt.durationMs);
  const record = { at: endedAt - duration_ms, duration_ms, ...(replay && { replay }) };
  if (attempt.outcome === 'failed') return { ...record, error: attempt.error };
  const kept = isReceived(attempt) ? excerptBytes.received : excerptBytes.failed;
  const excerpt = excerptOf(attempt, kept, known);
  return { ...record, status: attempt.status, ...(excerpt !== '' && { excerpt }) };
}

/** Stands for a response that shows a secret. */
const mask = '***';

/** The beginning of a response, unless the receiver repeats its headers there, or shows its settings. */
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
  // A receiver that names a wrong charset, or none, writes its secrets in ASCII all the same, if need be as UTF-16.
  const inAscii = start.toString('utf8').replaceAll('\0', '');
  const isShown = [text, inAscii].some((read) => showsSecret(read, secrets, isCut));
  return isShown ? mask : text;
}

/** The charset in a `Content-Type` (RFC 9110, section 8.3.1), also in the single quotes that some servers write. */
const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i;

/**
 * The text of a body in its own charset, or in UTF-8 if it names none that this Node knows. U+FFFD replaces what is
 * invalid in it, but for a character that the cut has split: that one is left out.
 */
export function decodedText(body: Buffer, contentType: string | undefined, isCut: boolean): string {
  return decoderFor(charset.exec(contentType ?? '')?.[1] ?? 'utf-8').decode(body, { stream: isCut });
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** An attempt, with everything that is known about it. */
export interface AttemptMade {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  /** The attempt in the form that the delivery keeps. */
  record: AttemptRecord;
  /** The target's breaker when the attempt began. */
  breaker: Breaker;
}

/** Records that the receiver has the notification. */
export async function recordSuccess(
  { delivery, record }: AttemptMade,
  { deliveries }: Pick<DeliveryContext, 'deliveries'>,
): Promise<void> {
  await deliveries.record(delivery, {
    state: 'delivered',
    attempt: record,
    attempt_count: delivery.attempt_count + 1,
  });
}

/** Records a failed attempt. One that began while the breaker was open does not use up the schedule: it is held. */
export async function recordFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, record, breaker } = attemptMade;
  if (!isOpen(breaker)) return recordUsedAttempt(attemptMade, context);
  // If the breaker has closed since, the drain finds it: it goes over the list for longer than a process lives.
  const { attempt_count } = delivery;
  await context.deliveries.record(delivery, { state: 'held', attempt: record, attempt_count });
}

/** Records a failed replay. A delivery that had ended ends again; one that was waiting continues its schedule. */
export async function recordFailedReplay(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, record } = attemptMade;
  switch (delivery.previous_state) {
    case 'held':
      return recordFailure(attemptMade, context);
    case 'delivered':
    case 'exhausted':
    case 'discarded': {
      const state = delivery.previous_state === 'delivered' ? 'delivered' : 'exhausted';
      await context.deliveries.record(delivery, { state, attempt: record, attempt_count: delivery.attempt_count });
      return;
    }
    default:
      return recordUsedAttempt(attemptMade, context);
  }
}

/** Records an attempt of the schedule, and schedules the next one if there is one. */
export async function recordUsedAttempt(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, attempt, record } = attemptMade;
  const { retry, ...result } = afterFailure(delivery, attempt, context);
  // Sent before it is recorded: after a crash in between, SQS delivers the unacknowledged message again.
  if (retry) await context.queue.send([retry]);
  await context.deliveries.record(delivery, { ...result, attempt: record });
  if (result.state === 'exhausted') log('warn', 'delivery.exhausted');
}

/**
 * Tells the circuit breakers what the attempts of a batch found out. Each is written once at most, and only if that
 * changes it. What a busy table does not take is skipped: more attempts will follow, and further tries would only keep
 * the item of a flapping target busy.
 */
export async function updateBreakers(context: DeliveryContext): Promise<void> {
  const byTarget = Map.groupBy(context.outcomes, ({ subscriber, target }) => `${subscriber} ${target}`);
  await Promise.all(Array.from(byTarget.values(), (outcomes) => updateBreaker(outcomes, context)));
}

async function updateBreaker(outcomes: readonly Outcome[], context: DeliveryContext): Promise<void> {
  const [attempted] = outcomes;
  if (!attempted) return;
  const { subscriber, target } = attempted;
  await withLogContext({ subscriber, target }, async () => {
    try {
      // A success breaks the streak, whichever of the attempts ended first.
      if (outcomes.some(({ isReceived }) => isReceived)) await noteSuccess(attempted, context);
      else await noteFailures(attempted, outcomes, context);
    } catch (error) {
      log(context.isTransient(error) ? 'warn' : 'error', 'target.not-updated', describeError(error));
    }
  });
}

type AttemptedTarget = Omit<Outcome, 'delivery' | 'isReceived'>;

/** In less time than this, other batches hardly count failures that a success would have to reset. */
const shortBatchMs = 1_000;

/** Closes a breaker that the batch knows as open, as a probe does, or resets the failures of a closed one. */
async function noteSuccess(attempted: AttemptedTarget, context: DeliveryContext): Promise<void> {
  const isShort = context.now() - context.startedAt < shortBatchMs;
  if (isShort && !isOpen(attempted.breaker) && attempted.breaker.failures === 0) return;
  const breaker = await readAgain(attempted, context);
  // An attempt that began before the breaker opened says nothing about the target now.
  if (breaker && isOpen(breaker) === isOpen(attempted.breaker)) {
    await resetBreaker(attempted.subscriber, attempted.target, breaker, context);
  }
}

/** Counts failures, and opens the breaker at the tenth in a row. A failed probe was counted when it was taken. */
async function noteFailures(
  attempted: AttemptedTarget,
  outcomes: readonly Outcome[],
  context: DeliveryContext,
  triesLeft = 1,
): Promise<void> {
  if (isOpen(attempted.breaker)) return;
  const breaker = await readAgain(attempted, context);
  if (!breaker || isOpen(breaker)) return;
  const { subscriber, target, url } = attempted;
  const { breakers, schedule, now, random } = context;
  const failures = { url, failed: outcomes.map(({ delivery }) => delivery) };
  if (!isOpenedBy(failures.failed, breaker)) return breakers.countFailures(subscriber, target, failures);
  const probeAt = nextProbeAt(0, schedule, now(), random());
  const isOpened = await breakers.open(subscriber, target, breaker, { ...failures, now: now(), probeAt });
  // Another batch has counted meanwhile, so this one decides anew.
  if (!isOpened) return triesLeft > 0 ? noteFailures(attempted, outcomes, context, triesLeft - 1) : undefined;
  log('warn', 'target.failing');
  await tryToAnnounceTarget({ subscriber, target }, context);
}

/**
 * Reads the breaker again: other processes have often changed it meanwhile, and a write that changes nothing costs as
 * much as any other. If the target has another URL by now, the attempts say nothing about it.
 */
async function readAgain({ subscriber, target, url }: AttemptedTarget, { breakers }: DeliveryContext) {
  const record = await breakers.read(subscriber, target);
  return record?.url === url ? record.breaker : undefined;
}

import type { ReceivedWebhook, ShownDelivery, ShownTarget } from '#local/console/console-values.ts';
import type { IconName } from '../../parts/icon.tsx';
import type { Tone } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';

export type Attempt = ShownDelivery['attempts'][number];

export const tones: Readonly<Record<ShownDelivery['state'], Tone>> = {
  sending: 'plain',
  delivered: 'good',
  waiting: 'warn',
  held: 'warn',
  exhausted: 'bad',
  discarded: 'bad',
};

export const icons: Readonly<Record<ShownDelivery['state'], IconName>> = {
  sending: 'clock',
  delivered: 'check',
  waiting: 'clock',
  held: 'pause',
  exhausted: 'cross',
  discarded: 'cross',
};

export const isPaused = (target: ShownTarget | undefined) => target !== undefined && target.paused_at !== null;

/** Only status 200 counts as received. */
export const isReceived = ({ status }: Attempt) => status === 200;

const errorWords: Readonly<Record<string, string>> = {
  'invalid-url': 'invalid URL',
  'own-address': 'address of this service',
  'forbidden-address': 'forbidden address',
  dns: 'host not found',
  refused: 'connection refused',
  unreachable: 'no route',
  'connect-timeout': 'no connection in time',
  tls: 'TLS failed',
  timeout: 'no response in time',
  reset: 'connection closed',
  'closed-early': 'response cut off',
  'headers-too-large': 'headers too large',
  'invalid-response': 'invalid HTTP response',
};

/** What came of an attempt, in a word or two. */
export function outcomeOf({ status, error }: Attempt): string {
  if (status !== null) return status >= 300 && status < 400 ? `${status} redirect` : String(status);
  return errorWords[error ?? ''] ?? error ?? 'no response';
}

/** What arrived at the built-in receiver. */
export type Received = ReadonlyMap<string, ReceivedWebhook>;

/** Whether the built-in receiver made this attempt of a delivery fail, as somebody had set it to. */
export function failedOnPurpose({ id }: ShownDelivery, attempt: Attempt, received: Received): boolean {
  if (isReceived(attempt)) return false;
  const from = Date.parse(attempt.at);
  const until = from + attempt.duration_ms + 1;
  return [...received.values()].some(
    ({ delivery, status, at }) => delivery === id && status === attempt.status && at >= from && at <= until,
  );
}

/** Why an attempt failed, in a sentence or two. Undefined if it did not. */
export function explanationOf(delivery: ShownDelivery, attempt: Attempt, received: Received): string | undefined {
  if (!failedOnPurpose(delivery, attempt, received)) return attempt.explanation ?? undefined;
  return `You had set the built-in receiver ${attempt.status === null ? 'not to respond' : `to respond ${attempt.status}`}.`;
}

export const lastFailureOf = ({ attempts }: ShownDelivery): Attempt | undefined =>
  attempts.findLast((attempt) => !isReceived(attempt));

/** Why a delivery is not delivered, in a sentence or two. Undefined if nothing is wrong. */
export function reasonOf(delivery: ShownDelivery, snapshot: Snapshot): string | undefined {
  const { state } = delivery;
  if (state === 'delivered') return undefined;
  const failed = failureOf(delivery, snapshot);
  const target = snapshot.targets.get(`${delivery.subscriber} ${delivery.target}`);
  if (state === 'held' && isPaused(target)) return 'The target is paused. Press Resume.';
  if (state === 'held')
    return `${failed ?? earlierFailure(delivery, snapshot)} The circuit breaker of the target is open.`;
  if (state === 'discarded') return 'The URL was removed, or the number was switched off. Nothing is sent.';
  return failed;
}

function failureOf(delivery: ShownDelivery, { received }: Snapshot): string | undefined {
  const last = lastFailureOf(delivery);
  return last && explanationOf(delivery, last, received);
}

/** What happened to the deliveries before one that was never attempted. */
function earlierFailure({ id, subscriber, target }: ShownDelivery, snapshot: Snapshot): string {
  const failed = [...snapshot.deliveries.values()].findLast(
    (one) => one.id !== id && one.subscriber === subscriber && one.target === target && lastFailureOf(one),
  );
  return `Earlier deliveries failed. ${(failed && failureOf(failed, snapshot)) ?? ''}`.trimEnd();
}

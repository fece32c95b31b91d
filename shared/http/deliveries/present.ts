import { timestamp } from '#shared/base/clock.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { AttemptRecord, Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { Language } from '../language/language.ts';
import { explainAttempt } from './explain.ts';

/** Builds the API's webhook object of a number. */
export function presentWebhooks({ webhook, secondary_webhook, calls_webhook }: PhoneNumber) {
  return {
    webhook: webhook ?? null,
    secondary_webhook: secondary_webhook ?? null,
    calls_webhook: calls_webhook ?? null,
  };
}

/** Builds the API's delivery object. It explains failures in `language`. */
export function presentDelivery(delivery: Delivery, language: Language) {
  const { id, target, kind, state, attempts, next_attempt_at, created_at } = delivery;
  return {
    id,
    target,
    kind,
    state,
    attempts: attempts.map((attempt) => presentAttempt(attempt, language)),
    next_attempt_at: next_attempt_at === undefined ? null : timestamp(next_attempt_at),
    created_at: timestamp(created_at),
  };
}

function presentAttempt(attempt: AttemptRecord, language: Language) {
  const { at, duration_ms, status, error, excerpt, replay } = attempt;
  return {
    at: timestamp(at),
    duration_ms,
    status: status ?? null,
    error: error ?? null,
    explanation: explainAttempt(attempt, language),
    response_excerpt: excerpt ?? null,
    replay: replay ?? false,
  };
}

import { timestamp } from '#shared/base/time/clock.ts';
import type { AttemptRecord, Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { Language } from '../language/language.ts';
import { explainAttempt } from './explain.ts';

/** Builds the API's delivery object. It explains failures in `language`. */
export function toDeliveryObject(delivery: Delivery, language: Language) {
  const { id, target, kind, state, attempts, next_attempt_at, sent_flow, created_at } = delivery;
  return {
    id,
    target,
    kind,
    state,
    attempts: attempts.map((attempt) => toAttemptObject(attempt, language)),
    next_attempt_at: next_attempt_at === undefined ? null : timestamp(next_attempt_at),
    created_at: timestamp(created_at),
    ...(sent_flow && { sent_flow }),
  };
}

function toAttemptObject(attempt: AttemptRecord, language: Language) {
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

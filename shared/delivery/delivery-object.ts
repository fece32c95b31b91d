import type * as z from 'zod/mini';
import { timestamp } from '#shared/base/time.ts';
import type { Language } from '#shared/http/language.ts';
import { defaultPageLimit, encodeCursor, pageLinks, requestCursor } from '#shared/http/page.ts';
import { maxResponseBytes, sizeInResponse } from '#shared/http/response-body.ts';
import { type BucketLink, linkSeconds } from '#shared/media/media-bucket-store.ts';
import { nameOf, type Subscriber } from '#shared/webhooks/subscriber.ts';
import type { AttemptRecord, Delivery } from './delivery.ts';
import { existingDelivery, type FindContext, type ListContext, readDeliveryPage } from './find-deliveries.ts';
import type { PayloadStore } from './notification.ts';
import { type ReplayContext, replayRange } from './replay.ts';
import type { deliveryQuery, replayRequest } from './schema.ts';
import { explainAttempt } from './texts.ts';

/** Builds the API's delivery object. It explains failures in `language`. */
export function toDeliveryObject(delivery: Delivery, language: Language) {
  const { id, target, kind, state, attempts, next_attempt_at, sent_flow, created_at } = delivery;
  return {
    id,
    target: nameOf(target),
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

export interface DeliveryPageRequest {
  /** The id of the subscriber. */
  subscriber: string;
  /** Address of the list. */
  path: string;
  query: z.output<typeof deliveryQuery> & { target?: string | undefined };
  language: Language;
}

/** Builds one page of a subscriber's deliveries. */
export async function deliveryPage({ subscriber, path, query, language }: DeliveryPageRequest, context: ListContext) {
  const { state, target, since, until, limit = defaultPageLimit } = query;
  const from = requestCursor(query.cursor, subscriber);
  const filter = { state, since: epochMs(since), until: epochMs(until) };
  const page = await readDeliveryPage({ subscriber, target, filter, limit, from }, context);
  return {
    data: page.deliveries.map((delivery) => toDeliveryObject(delivery, language)),
    ...pageLinks({ path, list: subscriber, filters: { state, target, since, until }, limit, from }, page),
  };
}

function epochMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

export interface DeliveryReader extends FindContext {
  readPayload: PayloadStore['read'];
  link: BucketLink;
}

/**
 * Reads a subscriber's delivery with its payload. If they are too large for a response, it contains the beginning of
 * the payload and a link to all of it.
 */
export async function deliveryWithPayload(
  { subscriber, id, language }: { subscriber: string; id: string | undefined; language: Language },
  context: DeliveryReader,
) {
  const delivery = await existingDelivery(subscriber, id, context);
  const payload = await context.readPayload(delivery.payload);
  const whole = { ...toDeliveryObject(delivery, language), payload };
  if (sizeInResponse(JSON.stringify(whole)) <= maxResponseBytes) return whole;
  return { ...whole, payload: beginning(payload), ...(await linkToPayload(delivery, context.link)) };
}

const beginningLength = 100_000;

/** Returns the beginning of a long text, without splitting a character. */
function beginning(text: string): string {
  return text.slice(0, beginningLength).replace(/[\ud800-\udbff]$/, '');
}

/** Links to the payload in the bucket. A payload that is too large for a response is never in the item itself. */
async function linkToPayload({ id, payload }: Delivery, link: BucketLink): Promise<{ payload_url?: string }> {
  if (!('blob' in payload)) return {};
  return {
    payload_url: await link(payload.blob, {
      contentType: 'application/json',
      contentDisposition: `attachment; filename="${id}.json"`,
      cacheControl: 'private, no-store',
      expiresInSeconds: linkSeconds,
    }),
  };
}

/** Replays the deliveries of a range, as far as one request goes. */
export async function replayPage(
  subscriber: Subscriber,
  body: z.output<typeof replayRequest> & { target?: string | undefined },
  context: ReplayContext,
) {
  const from = requestCursor(body.cursor, subscriber.id);
  const { replayed, more, reached } = await replayRange(subscriber, body, from?.item, context);
  const next = reached === undefined ? null : encodeCursor({ list: subscriber.id, item: reached, towards: 'newer' });
  return { replayed, more, next_cursor: next };
}

import type * as z from 'zod/mini';
import { parseUuid } from '#shared/base/ids.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type Clock, timestamp } from '#shared/base/time.ts';
import type { Language } from '#shared/http/language.ts';
import { defaultPageLimit, pageLinks, requestCursor } from '#shared/http/page.ts';
import { maxResponseBytes, sizeInResponse } from '#shared/http/response-body.ts';
import { type BucketLink, linkSeconds } from '#shared/media/media-bucket-store.ts';
import {
  chosenTarget,
  type DeliverySettings,
  nameOf,
  type Target,
  targetsOf,
  urlRemovedSince,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { type AttemptRecord, type Delivery, deliveryKeptDays, deliveryKeptMs } from './delivery.ts';
import type { SearchStep } from './delivery-list-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { PayloadStore } from './notification.ts';
import type { deliveryQuery } from './schema.ts';
import { explainAttempt } from './texts.ts';

/**
 * A search ends here however little it has found: a subscriber can have millions of deliveries, and the gateway waits
 * 30 s.
 */
const longestSearchMs = 8_000;

/**
 * After a full page, the search looks at up to this many steps without a delivery, one for each part of the log. With a
 * filter, one such step can stand for many reads, so the search then looks at none.
 */
const maxLooksAhead = 64;

interface Found {
  deliveries: Delivery[];
  /** Id of the last delivery that the search has passed, from which the next one goes on. */
  reached: string | undefined;
  /** Whether there may be more. */
  more: boolean;
}

/** Takes the first deliveries of a search, at most `count`. It skips those that have expired but are not deleted yet. */
export async function takeDeliveries(
  search: AsyncIterable<SearchStep>,
  count: number,
  { now, isNarrow }: { now: Clock; isNarrow: boolean },
): Promise<Found> {
  const deadline = now() + longestSearchMs;
  const oldest = oldestKept(now());
  const deliveries: Delivery[] = [];
  let reached: string | undefined;
  let looksAhead = 0;
  for await (const { id, delivery: found } of search) {
    const delivery = found && found.created_at >= oldest ? found : undefined;
    const isFull = deliveries.length === count;
    // A full page may be the last one: a step without a delivery does not show that there are more.
    if (isFull && (delivery || isNarrow || ++looksAhead === maxLooksAhead)) return { deliveries, reached, more: true };
    if (delivery) deliveries.push(delivery);
    if (!isFull) reached = id;
    if (now() >= deadline) return { deliveries, reached, more: true };
  }
  return { deliveries, reached, more: false };
}

/** Deliveries created before this time count as gone. DynamoDB deletes expired items some time later. */
export function oldestKept(now: number): number {
  return now - deliveryKeptMs;
}

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

interface DeliveryPageRequest {
  /** The id of the subscriber. */
  subscriber: string;
  /** Address of the list. */
  path: string;
  query: z.output<typeof deliveryQuery>;
  language: Language;
}

export interface ListContext {
  deliveries: Pick<DeliveryStore, 'search'>;
  targets: Pick<TargetStore, 'read'>;
  now: Clock;
}

/**
 * Builds one page of a subscriber's deliveries, newest first. A filtered page can hold fewer than `limit` although more
 * follow.
 */
export async function deliveryPage(
  { subscriber, path, query, language }: DeliveryPageRequest,
  { deliveries, targets, now }: ListContext,
) {
  const { state, target, since, until, limit = defaultPageLimit } = query;
  const from = requestCursor(query.cursor, subscriber);
  const backward = from?.towards === 'newer';
  const settings = await targets.read(subscriber);
  const search = deliveries.search({
    subscriber,
    targets: settings && target ? [chosenTarget(settings, target)] : usedTargets(settings),
    order: backward ? 'oldest-first' : 'newest-first',
    after: from?.item,
    wanted: limit,
    filter: { state, since: epochMs(since), until: epochMs(until) },
  });
  const {
    deliveries: found,
    reached,
    more,
  } = await takeDeliveries(search, limit, { now, isNarrow: state !== undefined });
  const page = backward ? found.toReversed() : found;
  const bounds = {
    newest: backward ? reached : page[0]?.id,
    oldest: backward ? page.at(-1)?.id : reached,
    more,
  };
  return {
    data: page.map((delivery) => toDeliveryObject(delivery, language)),
    ...pageLinks({ path, list: subscriber, filters: { state, target, since, until }, limit, from }, bounds),
  };
}

function epochMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** The targets that have, or had, a URL. The others never got anything. */
function usedTargets(settings: DeliverySettings | undefined): readonly Target[] {
  if (!settings) return [];
  return targetsOf(settings).filter((target) => {
    const record = settings.targets[target];
    return record?.url !== undefined || urlRemovedSince(record);
  });
}

export interface DeliveryFinder {
  deliveries: Pick<DeliveryStore, 'get'>;
  targets: Pick<TargetStore, 'read'>;
  now: Clock;
}

export interface DeliveryReader extends DeliveryFinder {
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

/** The subscriber's delivery with this id; `not-found` without one, or when it is as old as those that are deleted. */
export async function existingDelivery(
  subscriber: string,
  id: string | undefined,
  { deliveries, targets, now }: DeliveryFinder,
): Promise<Delivery> {
  const uuid = parseUuid(id);
  const settings = uuid && (await targets.read(subscriber));
  const delivery = settings && (await deliveries.get(subscriber, uuid, targetsOf(settings)));
  if (!delivery || delivery.created_at < oldestKept(now())) {
    throw new ServiceError('delivery.not-found', { values: { days: deliveryKeptDays } });
  }
  return delivery;
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

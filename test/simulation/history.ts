import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Delivery, DeliveryState, NotificationKind } from '#shared/delivery/delivery.ts';
import type { PostRequest } from '#shared/egress/post.ts';
import { type Breaker, isOpen } from '#shared/webhooks/breaker.ts';
import { headersFor, type StoredHeaders } from '#shared/webhooks/receiver-headers.ts';
import {
  builtInTargets,
  isNamed,
  type PhoneNumber,
  type Target,
  type TargetRecord,
} from '#shared/webhooks/subscriber.ts';
import {
  hubSignature,
  hubSignatureHeader,
  type OwnSecrets,
  type SubscriberSecrets,
} from '#shared/webhooks/webhook-signature.ts';
import type { Observer, StoredTarget } from '../../support/memory-stores/memory.ts';

/** A violation that a run has found. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Values, each with the time since which it applies. */
type Timeline<T> = { at: number; value: T }[];

export interface KnownNumber {
  id: string;
  urls: ByTarget<Timeline<string | undefined>>;
  active: Timeline<boolean>;
  breakers: Partial<Record<Target, { breaker: Breaker; openSince?: number }>>;
  /** What the table has of the headers of its targets. */
  headers: ByTarget<Timeline<StoredHeaders | undefined>>;
  /** When the service confirmed each change of a target's headers to the owner. */
  headersSetAt: ByTarget<number[]>;
  /** The secrets that the owner got, the newest last; the first comes from the number's creation. */
  handedOut: Timeline<string>;
  /** The signing secret of a target with a name of its own, and the app secrets of any. */
  ownSecrets: ByTarget<Timeline<string | undefined>>;
  appSecrets: ByTarget<Timeline<string | undefined>>;
  deleted: Set<Target>;
}

/** What is known of each target. */
class ByTarget<T> extends Map<Target, T> {
  readonly #first: () => T;

  constructor(first: () => T) {
    super();
    this.#first = first;
  }

  of(target: Target): T {
    const known = this.get(target) ?? this.#first();
    this.set(target, known);
    return known;
  }
}

export interface KnownEvent {
  id: string;
  number: string;
  kind: NotificationKind;
  sentAt: number;
  /**
   * When the upstream began to send the event, and when the service accepted it; one entry more for each repeat.
   */
  ingestions: { from: number; to: number }[];
  /** When the last request with it ended; infinite while one is in progress. */
  lastRequestEndsAt: number;
}

export interface KnownDelivery {
  id: string;
  item: Delivery;
  /** Since when it is in the table. */
  since: number;
  event: string;
  states: Set<DeliveryState>;
  discardedAt?: number;
  waitsUntil?: number;
  /** When its latest attempt began. */
  claimedAt?: number;
}

export interface KnownNotification {
  body: string;
  /** How often a receiver has accepted it, and how often it was sent. */
  accepted: number;
  posts: number;
}

/** The tolerance for clocks that differ, delays that are rounded to seconds, and calls that take long. */
const toleranceMs = 3_000;

/** How much too soon an attempt may be made: a few seconds, because clocks may be off. */
const earlyByMs = 6_000;

/** How far a process may lag behind the table: with settings that it has read, and with repeated calls. */
const staleMs = 8_000;

/** How long a process remembers secrets if nothing tells it that they have changed. */
const rememberedMs = 10 * 60_000;

/** The header of receivers' own. Its value begins with the origin that it is meant for. */
export const ownHeader = 'x-own';

const eventPattern = /"id":"(event-\d+)"/;

/** Sees all writes and requests of a run, and reports violations. */
export class History implements Observer {
  readonly numbers = new Map<string, KnownNumber>();
  readonly events = new Map<string, KnownEvent>();
  readonly deliveries = new Map<string, KnownDelivery>();
  readonly notifications = new Map<string, KnownNotification>();
  readonly #now: () => number;
  readonly #schedule: readonly number[];
  #violation: Violation | undefined;

  constructor(now: () => number, schedule: readonly number[]) {
    this.#now = now;
    this.#schedule = schedule;
  }

  /** Throws the violation, if there is one. */
  check(): void {
    if (this.#violation) throw this.#violation;
  }

  #fault(text: string): void {
    this.#violation ??= new Violation(text);
  }

  expectThat(condition: boolean, text: string): void {
    if (!condition) this.#fault(text);
  }

  number(id: string): KnownNumber {
    const number = this.numbers.get(id);
    if (!number) throw new Error(`The history does not know the number ${id}`);
    return number;
  }

  /** All targets that a number has, or had. */
  targetsOf(number: string): Target[] {
    return [...this.number(number).urls.keys()];
  }

  /** Records that the owner of a number got its secret. */
  handOut(number: string, secret: string): void {
    this.number(number).handedOut.push({ at: this.#now(), value: secret });
  }

  /** Records that the service confirmed a change of a target's headers to the owner. */
  headersAreSet(number: string, target: Target): void {
    this.number(number).headersSetAt.of(target).push(this.#now());
  }

  subscriber(number: Pick<PhoneNumber, 'id' | 'active'>): void {
    const history: KnownNumber = this.numbers.get(number.id) ?? {
      id: number.id,
      urls: new ByTarget(() => [{ at: 0, value: undefined }]),
      active: [],
      breakers: {},
      headers: new ByTarget(() => []),
      headersSetAt: new ByTarget(() => []),
      handedOut: [],
      ownSecrets: new ByTarget(() => []),
      appSecrets: new ByTarget(() => []),
      deleted: new Set(),
    };
    this.numbers.set(number.id, history);
    history.active.push({ at: this.#now(), value: number.active });
  }

  secrets(subscriber: string, after: SubscriberSecrets): void {
    const { headers, ownSecrets, appSecrets } = this.number(subscriber);
    for (const target of builtInTargets) this.#note(headers.of(target), after.targets?.[target]?.headers);
    for (const [target, own] of Object.entries(after.targets ?? {}) as [Target, OwnSecrets][]) {
      if (isNamed(target)) this.#note(headers.of(target), own.headers);
      this.#note(ownSecrets.of(target), own.current);
      this.#note(appSecrets.of(target), own.app_secret);
    }
  }

  #note<T>(timeline: Timeline<T>, value: T): void {
    const last = timeline.at(-1);
    if (!last || !isDeepStrictEqual(value, last.value)) timeline.push({ at: this.#now(), value });
  }

  targetDeleted(subscriber: string, target: Target): void {
    const { urls, breakers, deleted } = this.number(subscriber);
    urls.of(target).push({ at: this.#now(), value: undefined });
    delete breakers[target];
    deleted.add(target);
  }

  target(
    subscriber: string,
    target: Target,
    stored: StoredTarget | undefined,
    { record: after, listed }: StoredTarget,
  ) {
    const number = this.number(subscriber);
    const before = stored?.record;
    const at = this.#now();
    if (!before || before.url !== after.url) number.urls.of(target).push({ at, value: after.url });
    const { breaker } = after;
    const openSince = isOpen(breaker) ? (number.breakers[target]?.openSince ?? at) : undefined;
    number.breakers[target] = { breaker, ...(openSince !== undefined && { openSince }) };
    if (before) this.#checkVersion(`${subscriber} ${target}`, before, after);
    const mustBeFound = breaker.drain !== undefined || (isOpen(breaker) && breaker.paused_at === undefined);
    const mayBeFound = breaker.drain !== undefined || isOpen(breaker);
    this.expectThat(
      listed ? mayBeFound : !mustBeFound,
      `The index of the sweep has the target, or lacks it, wrongly: ${subscriber} ${target} ${JSON.stringify(breaker)}`,
    );
  }

  /** The version tells what a removed URL leaves behind, and which secrets are new. */
  #checkVersion(about: string, before: TargetRecord, after: TargetRecord): void {
    const isMoved = before.url !== after.url;
    const minVersion = before.version + (isMoved ? 1 : 0);
    this.expectThat(after.version >= minVersion, `Version ${after.version} after ${before.version}: ${about}`);
    const isNoted = after.removed_version === after.version;
    this.expectThat(!isMoved || after.url !== undefined || isNoted, `A URL is removed without a note: ${about}`);
    const isSameSecret = after.secrets_version === before.secrets_version || after.secrets_version === after.version;
    this.expectThat(isSameSecret, `New secrets are noted as version ${after.secrets_version}: ${about}`);
  }

  delivery(before: Delivery | undefined, after: Delivery): void {
    const delivery = this.deliveries.get(after.id) ?? {
      id: after.id,
      item: after,
      since: this.#now(),
      event: eventPattern.exec(JSON.stringify(after.payload).replaceAll('\\"', '"'))?.[1] ?? 'none',
      states: new Set(),
    };
    this.deliveries.set(after.id, delivery);
    delivery.item = after;
    delivery.states.add(after.state);
    if (after.state === 'discarded' && before?.state !== 'discarded') delivery.discardedAt = this.#now();
    this.#checkTransition(delivery, before, after);
    this.#checkAttempts(before, after, delivery.claimedAt);
  }

  #checkTransition(delivery: KnownDelivery, before: Delivery | undefined, after: Delivery): void {
    const change = `${before?.state ?? 'none'} -> ${after.state} of ${after.id}`;
    const hasEnded = before && ended.has(before.state) && !ended.has(after.state);
    this.expectThat(!hasEnded || after.lease?.replay !== undefined, `What had ended begins again: ${change}`);
    const isRecorded = before && before.attempts.at(-1)?.at !== after.attempts.at(-1)?.at;
    this.expectThat(!isRecorded || before.state === 'sending', `An attempt that nobody made is recorded: ${change}`);
    const isRepeated = new Set(after.replays).size < after.replays.length;
    this.expectThat(!isRepeated, `One replay is carried out twice: ${change}`);
    if (before?.state === 'waiting' && after.state === 'sending' && after.lease?.replay === undefined) {
      const early = (delivery.waitsUntil ?? 0) - this.#now();
      this.expectThat(early <= earlyByMs, `Sent ${early} ms before its wait is over: ${change}`);
    }
    if (before?.state === 'sending' && after.state === 'sending' && before.lease?.holder !== after.lease?.holder) {
      const early = (before.lease?.until ?? 0) - this.#now();
      this.expectThat(early <= toleranceMs, `Taken over ${early} ms before its lease is over: ${change}`);
    }
    if (after.state === 'waiting') delivery.waitsUntil = after.next_attempt_at ?? 0;
    if (after.state === 'sending') delivery.claimedAt = this.#now();
  }

  #checkAttempts(before: Delivery | undefined, after: Delivery, claimedAt = this.#now()): void {
    const attempts = after.attempt_count - (before?.attempt_count ?? 0);
    if (attempts === 0) return;
    this.expectThat(attempts === 1, `${attempts} attempts are counted at once: ${after.id}`);
    const maxAttempts = this.#schedule.length + 1;
    this.expectThat(
      after.attempt_count <= maxAttempts || after.state === 'delivered',
      `${after.attempt_count} attempts, where the schedule has ${maxAttempts}: ${after.id}`,
    );
    if (after.state === 'waiting') this.#checkWait(after);
    const { openSince } = this.number(after.subscriber).breakers[after.target] ?? {};
    const isLongOpen = openSince !== undefined && claimedAt - openSince > staleMs;
    const isReplayed = before?.lease?.replay !== undefined;
    this.expectThat(
      !isLongOpen || after.state === 'delivered' || isReplayed,
      `An attempt of the schedule is used up although the target is out of order: ${after.id}`,
    );
  }

  #checkWait({ id, attempt_count, attempts, next_attempt_at = 0 }: Delivery): void {
    const base = this.#schedule[attempt_count - 1];
    if (base === undefined) {
      this.#fault(`Waits behind the last attempt: ${id}`);
      return;
    }
    // The delay is calculated after the attempt has ended and before it is recorded. In between, the clock may jump.
    const { at, duration_ms } = attempts.at(-1) ?? { at: 0, duration_ms: 0 };
    const sinceEnd = next_attempt_at - at - duration_ms;
    const fromNow = next_attempt_at - this.#now();
    this.expectThat(
      sinceEnd >= base * 800 - toleranceMs && fromNow <= Math.max(base * 1_200, 3_600_000) + toleranceMs,
      `Waits ${sinceEnd} ms after attempt ${attempt_count}, which has ${base} s: ${id}`,
    );
  }

  /** The clock has jumped. For what was on its way then, a breaker has been open only for as long as before. */
  onJump(ms: number): void {
    for (const { breakers } of this.numbers.values()) {
      for (const breaker of Object.values(breakers)) if (breaker?.openSince !== undefined) breaker.openSince += ms;
    }
  }

  /** A POST arrives that began at `begunAt`; on its way the clock may jump. */
  onPost({ url, headers, body }: PostRequest, begunAt: number): void {
    const id = String(headers['webhook-id']);
    const text = String(body);
    const notification = this.notifications.get(id) ?? { body: text, accepted: 0, posts: 0 };
    this.notifications.set(id, notification);
    notification.posts++;
    this.expectThat(notification.body === text, `The body changed between two attempts: ${id}`);
    const delivery = this.deliveries.get(id);
    if (!delivery) {
      this.#fault(`Something is sent that is not in the log: ${id}`);
      return;
    }
    this.#checkUrl(delivery, url, begunAt);
    this.#checkSignature(delivery, headers, text);
    this.#checkOwnHeader(delivery, url, headers, begunAt);
  }

  onAccepted(id: string): void {
    const notification = this.notifications.get(id);
    if (notification) notification.accepted++;
  }

  /** The URL must be one that the target had at some time since the event was sent to the service, and not long ago. */
  #checkUrl({ id, item, event, since }: KnownDelivery, url: string, begunAt: number): void {
    const number = this.number(item.subscriber);
    const sentAt = this.events.get(event)?.sentAt ?? 0;
    const from = Math.max(sentAt, begunAt - staleMs);
    const urls = valuesBetween(number.urls.of(item.target), from, this.#now());
    this.expectThat(urls.includes(url), `Sent to ${url}, where the target has ${urls.join(' or ')}: ${id}`);
    // An event that the upstream repeats after the removal may go to the URL that the target has by then.
    const arrivedAt = Math.max(since, this.events.get(event)?.lastRequestEndsAt ?? 0);
    const isForRemovedUrl = number.urls
      .of(item.target)
      .some(({ at, value }) => value === undefined && at > arrivedAt && at < begunAt - staleMs);
    this.expectThat(
      !isForRemovedUrl || item.lease?.replay !== undefined,
      `Sent although its URL was removed after it had arrived: ${id}`,
    );
    const active = valuesBetween(number.active, from, this.#now());
    this.expectThat(active.includes(true), `Sent although the number is off: ${id}`);
  }

  #checkSignature({ id, item }: KnownDelivery, headers: PostRequest['headers'], body: string): void {
    const { handedOut, ownSecrets, appSecrets } = this.number(item.subscriber);
    // The owner needs a moment to install a new secret. Until then, the receiver has the earlier ones. The clock may
    // jump in between.
    const signedAt = Number(headers['webhook-timestamp']) * 1_000;
    const since = Math.min(signedAt, this.#now()) - staleMs;
    const known = isNamed(item.target) ? ownSecrets.of(item.target) : handedOut;
    const ownerSecrets = valuesBetween(known, since, this.#now()).filter((secret) => secret !== undefined);
    const signatures = String(headers['webhook-signature']).split(' ');
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const verifies = ownerSecrets.some((secret) => signatures.includes(`v1,${signatureOf(signed, secret)}`));
    this.expectThat(verifies || ownerSecrets.length === 0, `The receiver cannot verify the signature: ${id}`);
    const isMeta = body.startsWith('{"object":');
    const app = valuesBetween(appSecrets.of(item.target), since - rememberedMs, this.#now());
    const hub = app.map((secret) => secret && hubSignature(body, secret));
    const isSigned = isMeta ? hub.includes(String(headers[hubSignatureHeader])) : !(hubSignatureHeader in headers);
    this.expectThat(isSigned, `The signature of Meta is wrong: ${id}`);
    this.expectThat((item.format === 'meta') === isMeta, `The log has another format than what was sent: ${id}`);
  }

  /** The header must be one that the process may know, and no server gets a header that was meant for another. */
  #checkOwnHeader({ id, item }: KnownDelivery, url: string, sent: PostRequest['headers'], begunAt: number): void {
    const { headers, headersSetAt } = this.number(item.subscriber);
    // After a change that failed halfway, a process may use the earlier headers for some minutes.
    const setAt = headersSetAt.of(item.target).findLast((at) => at <= begunAt - staleMs) ?? 0;
    const from = Math.max(setAt, begunAt - staleMs - rememberedMs);
    const headersThen = valuesBetween(headers.of(item.target), from, this.#now());
    const fitting = headersThen.map((stored) => headersFor(url, stored)?.[ownHeader]);
    const value = sent[ownHeader];
    this.expectThat(fitting.includes(value), `The header is ${value}, not ${fitting.join(' or ')}: ${id}`);
    const isForIt = value === undefined || value.split(' ')[0] === new URL(url).origin;
    this.expectThat(isForIt, `${url} gets a header that is not meant for it, ${value}: ${id}`);
  }
}

export const ended: ReadonlySet<DeliveryState> = new Set(['delivered', 'exhausted', 'discarded']);

export function valuesBetween<T>(timeline: Timeline<T>, from: number, to: number): T[] {
  return timeline
    .filter(({ at }, index) => at <= to && (timeline[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from)
    .map(({ value }) => value);
}

const keys = new Map<string, KeyObject>();

function signatureOf(text: string, secret: string): string {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret.replace('whsec_', ''), 'base64'));
  keys.set(secret, key);
  return createHmac('sha256', key).update(text).digest('base64');
}

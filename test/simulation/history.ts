import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import { type Target, targets } from '#shared/domain/accounts/subscriber.ts';
import type { Breaker } from '#shared/domain/deliveries/breaker.ts';
import { isOpen } from '#shared/domain/deliveries/breaker.ts';
import type { Delivery, DeliveryState, NotificationKind } from '#shared/domain/deliveries/delivery.ts';
import type { PostRequest } from '#shared/domain/egress/sender.ts';
import type { Change } from './table/memory-table.ts';

/** What must never be, found in a run. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Values and since when each has been the one. */
type Timeline<T> = { at: number; value: T }[];

export interface KnownNumber {
  id: string;
  urls: Record<Target, Timeline<string | undefined>>;
  active: Timeline<boolean>;
  breakers: Partial<Record<Target, { row: Breaker; openSince?: number }>>;
  /** Secrets that the owner was given, the newest last; the first is that of the number's creation. */
  handedOut: Timeline<string>;
}

export interface KnownEvent {
  id: string;
  number: string;
  kind: NotificationKind;
  sentAt: number;
  /**
   * From when on the upstream sent it until the service took it; once more for each time that the upstream repeats it.
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
}

export interface KnownNotification {
  body: string;
  /** How often a receiver has taken it, and how often it was sent. */
  accepted: number;
  posts: number;
}

/** How far clocks, delays that are rounded to seconds, and calls that take long may move what is timed. */
const toleranceMs = 3_000;

/** By how much an attempt may be made too soon: a few seconds, by a clock that may be off. */
const earlyByMs = 6_000;

/** By how much what a process goes by may be behind the table: settings it has read, and calls that are repeated. */
const staleMs = 25_000;

const eventPattern = /"id":"(event-\d+)"/;

/** Sees all that is written and sent in a run, and says what is wrong with it. */
export class History {
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

  /** Throws what was found, if something was. */
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
    const known = this.numbers.get(id);
    if (!known) throw new Error(`The history does not know the number ${id}`);
    return known;
  }

  /** The owner of a number is given its secret. */
  handOut(number: string, secret: string): void {
    this.number(number).handedOut.push({ at: this.#now(), value: secret });
  }

  onChange({ key, before, after }: Change): void {
    if (key.sk === 'NUMBER' && after) this.#onNumber(after as unknown as PhoneNumber);
    else if (key.sk.startsWith('BREAKER#')) this.#onBreaker(key, after as unknown as Breaker | undefined);
    else if (key.sk.startsWith('DELIVERY#')) {
      if (after) this.#onDelivery(before as unknown as Delivery | undefined, after as unknown as Delivery);
      else this.#fault(`A delivery is deleted: ${key.sk}`);
    }
  }

  #onNumber(number: PhoneNumber): void {
    const known = this.numbers.get(number.id) ?? {
      id: number.id,
      urls: { webhook: [], secondary_webhook: [], calls_webhook: [] },
      active: [],
      breakers: {},
      handedOut: [],
    };
    this.numbers.set(number.id, known);
    const at = this.#now();
    for (const target of targets) known.urls[target].push({ at, value: number[target] });
    known.active.push({ at, value: number.active });
  }

  #onBreaker({ pk, sk }: { pk: string; sk: string }, row: Breaker | undefined): void {
    const known = this.number(pk.replace('NUMBER#', ''));
    const target = sk.replace('BREAKER#', '') as Target;
    if (!row) {
      delete known.breakers[target];
      return;
    }
    const openSince = isOpen(row) ? (known.breakers[target]?.openSince ?? this.#now()) : undefined;
    known.breakers[target] = { row, ...(openSince !== undefined && { openSince }) };
  }

  #onDelivery(before: Delivery | undefined, after: Delivery): void {
    const known = this.deliveries.get(after.id) ?? {
      id: after.id,
      item: after,
      since: this.#now(),
      event: eventPattern.exec(JSON.stringify(after.payload).replaceAll('\\"', '"'))?.[1] ?? 'none',
      states: new Set(),
    };
    this.deliveries.set(after.id, known);
    known.item = after;
    known.states.add(after.state);
    if (after.state === 'discarded' && before?.state !== 'discarded') known.discardedAt = this.#now();
    this.#checkTransition(known, before, after);
    this.#checkAttempts(before, after);
  }

  #checkTransition(known: KnownDelivery, before: Delivery | undefined, after: Delivery): void {
    const change = `${before?.state ?? 'none'} -> ${after.state} of ${after.id}`;
    const hasEnded = before && ended.has(before.state) && !ended.has(after.state);
    this.expectThat(!hasEnded || after.lease?.replay !== undefined, `What had ended begins again: ${change}`);
    const isRecorded = before && before.attempts.at(-1)?.at !== after.attempts.at(-1)?.at;
    this.expectThat(!isRecorded || before.state === 'sending', `An attempt that nobody made is recorded: ${change}`);
    const isRepeated = new Set(after.replays).size < after.replays.length;
    this.expectThat(!isRepeated, `One replay is carried out twice: ${change}`);
    if (before?.state === 'waiting' && after.state === 'sending' && after.lease?.replay === undefined) {
      const early = (known.waitsUntil ?? 0) - this.#now();
      this.expectThat(early <= earlyByMs, `Sent ${early} ms before its wait is over: ${change}`);
    }
    if (before?.state === 'sending' && after.state === 'sending' && before.lease?.holder !== after.lease?.holder) {
      const early = (before.lease?.expires_at ?? 0) - this.#now();
      this.expectThat(early <= toleranceMs, `Taken over ${early} ms before its lease is over: ${change}`);
    }
    if (after.state === 'waiting') known.waitsUntil = after.next_attempt_at ?? 0;
  }

  #checkAttempts(before: Delivery | undefined, after: Delivery): void {
    const made = after.attempt_count - (before?.attempt_count ?? 0);
    if (made === 0) return;
    this.expectThat(made === 1, `${made} attempts are counted at once: ${after.id}`);
    const most = this.#schedule.length + 1;
    this.expectThat(
      after.attempt_count <= most || after.state === 'delivered',
      `${after.attempt_count} attempts, where the schedule has ${most}: ${after.id}`,
    );
    if (after.state === 'waiting') this.#checkWait(after);
    const { openSince } = this.number(after.number).breakers[after.target] ?? {};
    const isLongOpen = openSince !== undefined && this.#now() - openSince > staleMs;
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
    // Reckoned after the attempt has ended and before it is recorded; between the two the clock may jump.
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
      for (const breaker of Object.values(breakers)) if (breaker.openSince !== undefined) breaker.openSince += ms;
    }
  }

  /** A POST arrives that began at `begunAt`; on its way the clock may jump. */
  onPost({ url, headers, body }: PostRequest, begunAt: number): void {
    const id = String(headers['webhook-id']);
    const text = String(body);
    const known = this.notifications.get(id) ?? { body: text, accepted: 0, posts: 0 };
    this.notifications.set(id, known);
    known.posts++;
    this.expectThat(known.body === text, `The body changed between two attempts: ${id}`);
    const delivery = this.deliveries.get(id);
    if (!delivery) {
      this.#fault(`Something is sent that is not in the log: ${id}`);
      return;
    }
    this.#checkUrl(delivery, url, begunAt);
    this.#checkSignature(delivery, headers, text);
  }

  onAccepted(id: string): void {
    const known = this.notifications.get(id);
    if (known) known.accepted++;
  }

  /** It is one that the target had at some time since the event was sent to the service, and not long ago. */
  #checkUrl({ id, item, event, since }: KnownDelivery, url: string, begunAt: number): void {
    const number = this.number(item.number);
    const sentAt = this.events.get(event)?.sentAt ?? 0;
    const from = Math.max(sentAt, begunAt - staleMs);
    const urls = valuesBetween(number.urls[item.target], from, this.#now());
    this.expectThat(urls.includes(url), `Sent to ${url}, where the target has ${urls.join(' or ')}: ${id}`);
    // An event that the upstream repeats after the removal may go to the URL that the target has by then.
    const arrivedAt = Math.max(since, this.events.get(event)?.lastRequestEndsAt ?? 0);
    const isLeftBehind = number.urls[item.target].some(
      ({ at, value }) => value === undefined && at > arrivedAt && at < begunAt - staleMs,
    );
    this.expectThat(
      !isLeftBehind || item.lease?.replay !== undefined,
      `Sent although its URL was removed after it had arrived: ${id}`,
    );
    const active = valuesBetween(number.active, from, this.#now());
    this.expectThat(active.includes(true), `Sent although the number is off: ${id}`);
  }

  #checkSignature({ id, item }: KnownDelivery, headers: PostRequest['headers'], body: string): void {
    const { handedOut } = this.number(item.number);
    // The owner needs a moment for a new one; until then the receiver has those before. The clock may jump on the way.
    const signedAt = Number(headers['webhook-timestamp']) * 1_000;
    const held = valuesBetween(handedOut, Math.min(signedAt, this.#now()) - staleMs, this.#now());
    const signatures = String(headers['webhook-signature']).split(' ');
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const verifies = held.some((secret) => signatures.includes(`v1,${signatureOf(signed, secret)}`));
    this.expectThat(verifies || held.length === 0, `The receiver cannot verify the signature: ${id}`);
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

import { isDeepStrictEqual } from 'node:util';
import type { Target } from '#shared/webhooks/subscriber.ts';
import { ended, type History, type KnownDelivery, type KnownEvent, valuesBetween } from './history.ts';
import type { SimulatedQueue } from './simulated-queue.ts';

/** A closed breaker without failures. */
const closed = { failures: 0 };

/** Checks what must hold when everything has worked for long enough. Throws the first violation. */
export function checkEnd(history: History, queue: SimulatedQueue, attempts: number): void {
  history.expectThat(queue.deadLetters.length === 0, `Dead letters: ${queue.deadLetters.map(({ body }) => body)}`);
  history.expectThat(queue.messages.size === 0, `${queue.messages.size} messages stay in the queue`);
  const deliveries = Map.groupBy(history.deliveries.values(), ({ event, item }) => `${event} ${item.target}`);
  for (const event of history.events.values()) {
    for (const target of history.targetsOf(event.number)) {
      checkEvent(history, event, target, deliveries.get(`${event.id} ${target}`) ?? []);
    }
  }
  for (const delivery of history.deliveries.values()) checkDelivery(history, delivery, attempts);
  for (const { id, breakers, urls, active } of history.numbers.values()) {
    // Nothing closes the breakers of a number that stays off, because nothing is sent for it.
    if (!active.at(-1)?.value) continue;
    for (const target of history.targetsOf(id)) {
      const breaker = breakers[target]?.breaker;
      if (urls.of(target).at(-1)?.value === undefined) continue;
      history.expectThat(
        isDeepStrictEqual(breaker, closed),
        `The breaker of ${id} ${target} stays: ${JSON.stringify(breaker)}`,
      );
    }
  }
  history.check();
}

function checkEvent(history: History, event: KnownEvent, target: Target, found: readonly KnownDelivery[]): void {
  const { id, number, kind, ingestions } = event;
  const about = `${id} for ${target}`;
  history.expectThat(ingestions.length > 0, `Never taken: ${about}`);
  history.expectThat(found.length <= 1, `${found.length} deliveries of ${about}`);
  const { urls, active, deleted } = history.number(number);
  const isWanted = (kind === 'call') === (target === 'calls_webhook');
  const seen = ingestions.map(({ from, to }) => ({
    url: valuesBetween(urls.of(target), from, to).map((url) => url !== undefined),
    active: valuesBetween(active, from, to),
  }));
  const isExpected = isWanted && seen.some(({ url, active }) => ![...url, ...active].includes(false));
  const isPossible = isWanted && seen.some(({ url, active }) => url.includes(true) && active.includes(true));
  // A target that is deleted has no log any more.
  history.expectThat(!isExpected || found.length === 1 || deleted.has(target), `Lost without a trace: ${about}`);
  history.expectThat(isPossible || found.length === 0, `A delivery that there should not be: ${about}`);
}

function checkDelivery(history: History, { id, item, states, discardedAt, event }: KnownDelivery, attempts: number) {
  const { state, attempt_count, subscriber, target } = item;
  history.expectThat(ended.has(state), `Stuck in ${state}: ${id}`);
  const accepted = history.notifications.get(id)?.accepted ?? 0;
  history.expectThat(state !== 'delivered' || accepted > 0, `Delivered, says the log, but nobody has it: ${id}`);
  const isExhausted = attempt_count === attempts || states.has('discarded');
  history.expectThat(state !== 'exhausted' || isExhausted, `Exhausted after ${attempt_count} attempts: ${id}`);
  if (state === 'discarded') {
    const { urls, active } = history.number(subscriber);
    const sentAt = history.events.get(event)?.sentAt ?? 0;
    const hadNone = valuesBetween(urls.of(target), sentAt, discardedAt ?? 0).includes(undefined);
    const wasOff = valuesBetween(active, sentAt, discardedAt ?? 0).includes(false);
    history.expectThat(hadNone || wasOff, `Discarded although its URL was never removed: ${id}`);
  }
}

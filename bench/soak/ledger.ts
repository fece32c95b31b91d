import type { Target } from '#shared/domain/subscribers/target.ts';

/** One notification for one target. `item` is the message's id, or a status's id and name. */
export interface Address {
  number: string;
  target: Target;
  item: string;
}

/** A POST that a receiver got. Times are epoch milliseconds. */
export interface Arrival extends Address {
  at: number;
  /** The receiver sent a complete 200 in time. */
  received: boolean;
  /** The signature matches one of the number's secrets. */
  signed: boolean;
}

/** Reasons why a notification may arrive more than once. */
export interface Excuses {
  /** Whether a process was killed in this period, or so shortly before it that the kill still had consequences. */
  killedBetween(from: number, to: number): boolean;
}

export interface Account {
  expected: number;
  arrived: number;
  missing: Address[];
  /** Arrivals that belong to no event that was sent. */
  unknown: Address[];
  badlySigned: Address[];
  /** Arrivals after a complete 200 that a kill or a replay explains, or a connection that was closed during a replay. */
  explainedRepeats: number;
  unexplainedRepeats: Repeat[];
}

/** A notification that came again, with all its arrivals. */
export interface Repeat extends Address {
  arrivals: Pick<Arrival, 'at' | 'received'>[];
}

const keyOf = ({ number, target, item }: Address) => `${number} ${target} ${item}`;

/** Records what the service accepted and what arrived, and compares the two. */
export function createLedger() {
  const expected = new Map<string, Address>();
  /** Notifications of all events that were sent. Until an event gets a 200, they may arrive but need not. */
  const offered = new Set<string>();
  const excused = new Set<string>();
  const replayed = new Map<string, number>();
  const arrivals = new Map<string, Arrival[]>();

  const isMissing = (key: string) => !arrivals.has(key) && !excused.has(key);

  return {
    /** Call this before sending an event. */
    offer(addresses: readonly Address[]): void {
      for (const address of addresses) offered.add(keyOf(address));
    },

    /** Call this after a 200: the service owes each of these notifications. */
    acknowledge(addresses: readonly Address[]): void {
      for (const address of addresses) expected.set(keyOf(address), address);
    },

    arrive(arrival: Arrival): void {
      const key = keyOf(arrival);
      arrivals.set(key, [...(arrivals.get(key) ?? []), arrival]);
    },

    /** Call this when the number's owner requests a replay. */
    replay(address: Address): void {
      const key = keyOf(address);
      replayed.set(key, (replayed.get(key) ?? 0) + 1);
    },

    /** Call this when the target's URL was removed, which discards the deliveries that still waited for it. */
    remove(number: string, target: Target): void {
      for (const [key, address] of expected) {
        if (address.number === number && address.target === target && isMissing(key)) excused.add(key);
      }
    },

    acknowledged: () => expected.size,

    missing: (): Address[] => [...expected].flatMap(([key, address]) => (isMissing(key) ? [address] : [])),

    account(excuses: Excuses): Account {
      const all = [...arrivals.values()].flat();
      const repeats = [...arrivals].flatMap(([key, list]) => repeatsOf(list, replayed.get(key) ?? 0, excuses));
      const unexplained = repeats.filter(({ explained }) => !explained).map(({ repeat }) => repeat);
      return {
        expected: expected.size,
        arrived: [...expected.keys()].filter((key) => arrivals.has(key)).length,
        missing: this.missing(),
        unknown: all.filter((arrival) => !offered.has(keyOf(arrival))).map(addressOf),
        badlySigned: all.filter(({ signed }) => !signed).map(addressOf),
        explainedRepeats: repeats.length - unexplained.length,
        unexplainedRepeats: unexplained,
      };
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;

/** Returns the arrivals after one that the receiver had confirmed with a complete 200. */
function repeatsOf(list: readonly Arrival[], replays: number, { killedBetween }: Excuses) {
  let replaysLeft = replays;
  return list.flatMap((arrival, index) => {
    const before = list.slice(0, index).findLast(({ received }) => received);
    if (before === undefined) return [];
    const needsReplay = !killedBetween(before.at, arrival.at) && !isSentAgain(arrival, list[index - 1]);
    const explained = !needsReplay || replaysLeft > 0;
    if (needsReplay) replaysLeft -= 1;
    const arrivals = list.map(({ at, received }) => ({ at, received }));
    return [{ repeat: { ...addressOf(arrival), arrivals }, explained }];
  });
}

/**
 * Whether the receiver closed the connection instead of responding to the same POST right before. The sender takes such
 * a connection for one that was closed while it was idle, and sends again on a new one.
 */
function isSentAgain({ at }: Arrival, previous: Arrival | undefined): boolean {
  return previous !== undefined && !previous.received && at - previous.at < 1_000;
}

const addressOf = ({ number, target, item }: Address): Address => ({ number, target, item });

import type { Target } from '#shared/domain/accounts/number.ts';

/** One notification for one target. `item` is the message's id, or a status' id and name. */
export interface Address {
  number: string;
  target: Target;
  item: string;
}

/** A POST that a receiver got. Times are epoch milliseconds. */
export interface Arrival extends Address {
  at: number;
  /** The receiver sent a whole 200 in time, so nothing but a kill explains another arrival. */
  received: boolean;
  /** The signature was that of one of the number's secrets. */
  signed: boolean;
}

/** Why a notification may come more than once. */
export interface Excuses {
  /** Something was killed between these times, or so shortly before that its consequences were still to come. */
  killedBetween(from: number, to: number): boolean;
}

export interface Account {
  expected: number;
  arrived: number;
  missing: Address[];
  /** Arrivals of notifications that no accepted event explains. */
  unknown: Address[];
  badlySigned: Address[];
  /** Arrivals after a whole 200: those that a kill or a replay explains, and the others. */
  explainedRepeats: number;
  unexplainedRepeats: Address[];
}

const keyOf = ({ number, target, item }: Address) => `${number} ${target} ${item}`;

/** What the service accepted, what arrived, and whether the two agree. */
export function createLedger() {
  const expected = new Map<string, Address>();
  /** Sent, but not (yet) answered with 200: they may arrive and need not. */
  const offered = new Set<string>();
  const excused = new Set<string>();
  const replayed = new Map<string, number>();
  const arrivals = new Map<string, Arrival[]>();

  const isMissing = (key: string) => !arrivals.has(key) && !excused.has(key);

  return {
    /** Before an event is sent. */
    offer(addresses: readonly Address[]): void {
      for (const address of addresses) offered.add(keyOf(address));
    },

    /** The service answered 200: it owes each of these. */
    acknowledge(addresses: readonly Address[]): void {
      for (const address of addresses) expected.set(keyOf(address), address);
    },

    arrive(arrival: Arrival): void {
      const key = keyOf(arrival);
      arrivals.set(key, [...(arrivals.get(key) ?? []), arrival]);
    },

    /** The number's owner asked for one more. */
    replay(address: Address): void {
      const key = keyOf(address);
      replayed.set(key, (replayed.get(key) ?? 0) + 1);
    },

    /** The target's URL was removed, which ends what still waited for it. */
    remove(number: string, target: Target): void {
      for (const [key, address] of expected) {
        if (address.number === number && address.target === target && isMissing(key)) excused.add(key);
      }
    },

    acknowledged: () => expected.size,

    missing: (): Address[] => [...expected].flatMap(([key, address]) => (isMissing(key) ? [address] : [])),

    settle(excuses: Excuses): Account {
      const all = [...arrivals.values()].flat();
      const repeats = [...arrivals].flatMap(([key, list]) => repeatsOf(list, replayed.get(key) ?? 0, excuses));
      const unexplained = repeats.filter(({ explained }) => !explained).map(({ address }) => address);
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

/** The arrivals after one that the receiver had answered with a whole 200. */
function repeatsOf(list: readonly Arrival[], replays: number, { killedBetween }: Excuses) {
  let replaysLeft = replays;
  return list.flatMap((arrival, index) => {
    const before = list.slice(0, index).findLast(({ received }) => received);
    if (before === undefined) return [];
    const killed = killedBetween(before.at, arrival.at);
    const explained = killed || replaysLeft > 0;
    if (!killed) replaysLeft -= 1;
    return [{ address: addressOf(arrival), explained }];
  });
}

const addressOf = ({ number, target, item }: Address): Address => ({ number, target, item });

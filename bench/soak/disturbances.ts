export type Disturbance = 'function killed' | 'world killed' | 'upstream fault';

/** How long a kill may have consequences: a lease, a hidden queue message, and a slow machine. */
const aftermathMs = 30_000;

/**
 * Records disturbances of the service, because these explain failed requests, logged errors and repeated notifications.
 */
export function createDisturbances(now: () => number = Date.now) {
  const list: { kind: Disturbance; from: number; to: number }[] = [];

  const within = (kinds: readonly Disturbance[], from: number, to: number) =>
    list.some((one) => kinds.includes(one.kind) && one.from <= to && one.to + aftermathMs >= from);

  return {
    /** Begins a disturbance. The returned function ends it. */
    begin(kind: Disturbance): () => void {
      const one = { kind, from: now(), to: Number.POSITIVE_INFINITY };
      list.push(one);
      return () => {
        one.to = now();
      };
    },
    count: (kind: Disturbance) => list.filter((one) => one.kind === kind).length,
    killedBetween: (from: number, to: number) => within(['function killed', 'world killed'], from, to),
    /** Whether any disturbance may have had an effect in this period. */
    between: (from: number, to: number) => within(['function killed', 'world killed', 'upstream fault'], from, to),
  };
}

export type Disturbances = ReturnType<typeof createDisturbances>;

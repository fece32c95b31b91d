export type Disturbance = 'function killed' | 'world killed' | 'upstream fault';

/** How long the consequences of a kill may show: a lease, a message that is hidden, and a slow machine. */
const aftermathMs = 30_000;

/** What was done to the service, and when: it explains failed requests, logged errors and repeated notifications. */
export function createDisturbances(now: () => number = Date.now) {
  const list: { kind: Disturbance; from: number; to: number }[] = [];

  const within = (kinds: readonly Disturbance[], from: number, to: number) =>
    list.some((one) => kinds.includes(one.kind) && one.from <= to && one.to + aftermathMs >= from);

  return {
    /** Begins one; the function that is returned ends it. */
    begin(kind: Disturbance): () => void {
      const one = { kind, from: now(), to: Number.POSITIVE_INFINITY };
      list.push(one);
      return () => {
        one.to = now();
      };
    },
    count: (kind: Disturbance) => list.filter((one) => one.kind === kind).length,
    killedBetween: (from: number, to: number) => within(['function killed', 'world killed'], from, to),
    /** Whether anything at all went on then. */
    between: (from: number, to: number) => within(['function killed', 'world killed', 'upstream fault'], from, to),
  };
}

export type Disturbances = ReturnType<typeof createDisturbances>;

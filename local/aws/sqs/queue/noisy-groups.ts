/** A group is noisy if it has more than this share of the messages in flight, and at least `noisyInFlight`. */
const noisyPart = 0.1;
const noisyInFlight = 30;

/** A group that is silent for this long is no longer noisy. */
const silenceMs = 5 * 60_000;

export type Place = 'visible' | 'inFlight';

interface Group {
  visible: number;
  inFlight: number;
  isNoisy: boolean;
  lastVisibleAt: number;
}

/**
 * The message groups that use more than their share of a queue's consumers, as in "How Amazon SQS fair queues work" of
 * the SQS guide. A group stays noisy until none of its messages is visible, or none has become visible for five
 * minutes. A message without a group counts as a group of its own, so it is never noisy.
 *
 * SQS also calls a group noisy that took more than a tenth of the recent processing time. It does not say what is
 * recent, so this is left out. Without it, the queue is less fair than the real one.
 */
export class NoisyGroups {
  readonly #now: () => number;
  readonly #groups = new Map<string, Group>();
  #inFlight = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A message is visible or in flight from now on. */
  enter(groupId: string | undefined, place: Place): void {
    if (place === 'inFlight') this.#inFlight += 1;
    if (groupId === undefined) return;
    let group = this.#groups.get(groupId);
    if (group === undefined) {
      group = { visible: 0, inFlight: 0, isNoisy: false, lastVisibleAt: this.#now() };
      this.#groups.set(groupId, group);
    }
    group[place] += 1;
    if (place === 'visible') group.lastVisibleAt = this.#now();
  }

  /** A message is no longer visible or in flight. */
  leave(groupId: string | undefined, place: Place): void {
    if (place === 'inFlight') this.#inFlight -= 1;
    const group = groupId === undefined ? undefined : this.#groups.get(groupId);
    if (groupId === undefined || group === undefined) return;
    group[place] -= 1;
    if (group.visible > 0) return;
    group.isNoisy = false;
    if (group.inFlight === 0) this.#groups.delete(groupId);
  }

  isNoisy(groupId: string | undefined): boolean {
    const group = groupId === undefined ? undefined : this.#groups.get(groupId);
    if (group === undefined) return false;
    const isSilent = this.#now() - group.lastVisibleAt >= silenceMs;
    const hasTooMany = group.inFlight >= noisyInFlight && group.inFlight > noisyPart * this.#inFlight;
    group.isNoisy = !isSilent && (group.isNoisy || hasTooMany);
    return group.isNoisy;
  }

  /** How many messages of the group are in flight. */
  inFlight(groupId: string): number {
    return this.#groups.get(groupId)?.inFlight ?? 0;
  }
}

/** A group is noisy if it has more than this share of the messages in flight, and at least `noisyInFlight`. */
const noisyPart = 0.1;
const noisyInFlight = 30;

type Place = 'visible' | 'inFlight';

interface Group {
  visible: number;
  inFlight: number;
  isNoisy: boolean;
}

/**
 * The message groups that use more than their share of a queue, as in "How Amazon SQS fair queues work" of the SQS
 * guide. A group stays noisy until none of its messages is visible. A message without a group is never noisy.
 */
export class NoisyGroups {
  readonly #groups = new Map<string, Group>();
  #inFlight = 0;

  /** This many messages more are visible or in flight from now on. */
  count(groupId: string | undefined, place: Place, change: 1 | -1): void {
    if (place === 'inFlight') this.#inFlight += change;
    if (groupId === undefined) return;
    const group = this.#groups.get(groupId) ?? { visible: 0, inFlight: 0, isNoisy: false };
    group[place] += change;
    if (group.visible === 0) group.isNoisy = false;
    if (group.visible + group.inFlight === 0) this.#groups.delete(groupId);
    else this.#groups.set(groupId, group);
  }

  isNoisy(groupId: string | undefined): boolean {
    const group = groupId === undefined ? undefined : this.#groups.get(groupId);
    if (group === undefined) return false;
    group.isNoisy ||= group.inFlight >= noisyInFlight && group.inFlight > noisyPart * this.#inFlight;
    return group.isNoisy;
  }
}

/**
 * The visible messages on one of the servers of a queue: in the order of their arrival, and apart from them, by group,
 * those that were found to be noisy.
 */
export class FairQueue<T extends { readonly groupId: string | undefined }> {
  readonly #noisyGroups: NoisyGroups;
  readonly #arrived: T[] = [];
  /** None of the lists is empty. */
  readonly #deferred = new Map<string | undefined, T[]>();

  constructor(noisyGroups: NoisyGroups) {
    this.#noisyGroups = noisyGroups;
  }

  add(item: T): void {
    this.#arrived.push(item);
  }

  /** Takes a message of a group that is not noisy. */
  takeQuiet(): T | undefined {
    const quiet = [...this.#deferred.keys()].find((groupId) => !this.#noisyGroups.isNoisy(groupId));
    if (quiet !== undefined) return this.#takeDeferred(quiet);
    for (let item = this.#arrived.shift(); item !== undefined; item = this.#arrived.shift()) {
      if (!this.#noisyGroups.isNoisy(item.groupId)) return item;
      const deferred = this.#deferred.get(item.groupId);
      if (deferred) deferred.push(item);
      else this.#deferred.set(item.groupId, [item]);
    }
    return undefined;
  }

  /** Takes a message of the noisy groups, which take turns. */
  takeNoisy(): T | undefined {
    const [groupId] = this.#deferred.keys();
    return this.#takeDeferred(groupId);
  }

  #takeDeferred(groupId: string | undefined): T | undefined {
    const deferred = this.#deferred.get(groupId) ?? [];
    const item = deferred.shift();
    this.#deferred.delete(groupId);
    if (deferred.length > 0) this.#deferred.set(groupId, deferred);
    return item;
  }
}

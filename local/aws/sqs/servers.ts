import { Fifo } from './queue/fifo.ts';
import type { NoisyGroups } from './queue/noisy-groups.ts';

/**
 * How many servers share the messages of a queue. AWS does not publish it: three is an assumption, one for each zone of
 * a usual region.
 */
export const assumedServers = 3;

/** A message that waits on a server. */
export interface Waiting {
  readonly groupId?: string | undefined;
}

export interface ServersOptions {
  /** From 0 up to, but not including, 1. */
  random: () => number;
  noisyGroups: NoisyGroups;
  servers?: number | undefined;
}

/**
 * The visible messages of a standard queue, spread over several servers: each message is on one of them, at random.
 * This is the simplest model that behaves as the SQS guide says ("Amazon SQS short and long polling"):
 *
 * - a long poll asks all servers, so it gets full batches from a deep queue;
 * - a long poll that found nothing gets what the first server has that gets a message. So what is sent together reaches
 *   several polls that wait;
 * - a short poll asks some servers and may miss messages. Here it misses one server, at random.
 *
 * Messages come roughly in the order in which they became visible. Those of noisy groups come after all others, and of
 * these the group first that has the fewest in flight.
 */
export class Servers<T extends Waiting> {
  readonly #random: () => number;
  readonly #noisyGroups: NoisyGroups;
  readonly #servers: readonly Server<T>[];

  constructor({ random, noisyGroups, servers = assumedServers }: ServersOptions) {
    this.#random = random;
    this.#noisyGroups = noisyGroups;
    this.#servers = Array.from({ length: servers }, () => new Server<T>(noisyGroups));
  }

  add(item: T): void {
    this.#servers[this.#below(this.#servers.length)]?.add(item);
  }

  /** Takes messages from all servers, as a long poll does when it begins. */
  allServers(): () => T | undefined {
    return () => this.#take(this.#inTurn());
  }

  /** Takes messages from all servers but one, as a short poll does. */
  someServers(): () => T | undefined {
    const reached = this.#inTurn().slice(Math.min(1, this.#servers.length - 1));
    return () => this.#take(reached);
  }

  /**
   * For each server: takes messages from it, as a long poll does that waited. Servers that have only noisy messages
   * come after all others.
   */
  eachServer(): (() => T | undefined)[] {
    const servers = this.#inTurn();
    const quiet = servers.filter((server) => server.hasQuiet());
    const others = servers.filter((server) => !quiet.includes(server));
    return [...quiet, ...others].map((server) => () => this.#take([server]));
  }

  #take(servers: readonly Server<T>[]): T | undefined {
    for (const server of servers) {
      const item = server.takeQuiet();
      if (item !== undefined) return item;
    }
    const noisy = servers.flatMap((server) => server.noisy().map((groupId) => ({ server, groupId })));
    const inFlight = ({ groupId }: { groupId: string }) => this.#noisyGroups.inFlight(groupId);
    const [first, ...others] = noisy;
    if (first === undefined) return undefined;
    const { server, groupId } = others.reduce((one, other) => (inFlight(other) < inFlight(one) ? other : one), first);
    return server.takeNoisy(groupId);
  }

  /** The servers, beginning with a random one. */
  #inTurn(): Server<T>[] {
    const first = this.#below(this.#servers.length);
    return [...this.#servers.slice(first), ...this.#servers.slice(0, first)];
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}

/** One server: the messages in the order of their arrival, and apart from them those that were found to be noisy. */
class Server<T extends Waiting> {
  readonly #noisyGroups: NoisyGroups;
  readonly #arrived = new Fifo<T>();
  /** By group. None of them is empty. */
  readonly #deferred = new Map<string, Fifo<T>>();

  constructor(noisyGroups: NoisyGroups) {
    this.#noisyGroups = noisyGroups;
  }

  add(item: T): void {
    this.#arrived.push(item);
  }

  /** Whether it has a message of a group that is not noisy. */
  hasQuiet(): boolean {
    return this.#quietDeferred() !== undefined || this.#firstQuiet() !== undefined;
  }

  /** Takes a message of a group that is not noisy. */
  takeQuiet(): T | undefined {
    const groupId = this.#quietDeferred();
    if (groupId !== undefined) return this.takeNoisy(groupId);
    return this.#firstQuiet() && this.#arrived.shift();
  }

  /** A group whose messages were put aside and that is no longer noisy. */
  #quietDeferred(): string | undefined {
    return [...this.#deferred.keys()].find((groupId) => !this.#noisyGroups.isNoisy(groupId));
  }

  /** The first message that arrived and is not noisy. Each one before it is put aside once. */
  #firstQuiet(): T | undefined {
    for (let item = this.#arrived.first; item !== undefined; item = this.#arrived.first) {
      const { groupId } = item;
      if (groupId === undefined || !this.#noisyGroups.isNoisy(groupId)) return item;
      this.#arrived.shift();
      this.#defer(groupId, item);
    }
    return undefined;
  }

  /** The groups whose messages were put aside. */
  noisy(): string[] {
    return [...this.#deferred.keys()];
  }

  /** Takes a message of this group that was put aside. */
  takeNoisy(groupId: string): T | undefined {
    const deferred = this.#deferred.get(groupId);
    const item = deferred?.shift();
    if (deferred?.isEmpty) this.#deferred.delete(groupId);
    return item;
  }

  #defer(groupId: string, item: T): void {
    const deferred = this.#deferred.get(groupId) ?? new Fifo();
    deferred.push(item);
    this.#deferred.set(groupId, deferred);
  }
}

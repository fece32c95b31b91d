import type { ConsoleChange } from '#local/console/stream.ts';
import { messageOf, noResponse } from './http.ts';
import { readSnapshot, type Snapshot, settings, type Topic, topics } from './snapshot.ts';

type Listener = () => void;

const retryAfterMs = 1_000;

/** Longer than a world takes to start. */
const restartsWithinMs = 30_000;

/** Everything that the pages show, kept up to date by the stream of changes. */
export class Live {
  /** Absent until the first snapshot is there. */
  snapshot: Snapshot | undefined;
  /** Why the page shows nothing new, if so. */
  trouble: string | undefined;
  /** Whether another world starts in place of this one. */
  isRestarting = false;
  readonly #listeners = new Set<Listener>();
  /** The changes that arrived while the page reads a snapshot, which may be older than they are. */
  #missed: ConsoleChange[] | undefined;
  #isScheduled = false;

  constructor() {
    const source = new EventSource('/stream');
    source.onopen = () => void this.refresh();
    source.onmessage = ({ data }: MessageEvent<string>) => this.#apply(JSON.parse(data));
    source.onerror = () => {
      if (this.isRestarting) return;
      this.#set({ trouble: noResponse });
    };
  }

  /** Calls the listener after every change, at most once a frame. Returns how to stop. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads everything anew, until it succeeds. */
  async refresh(): Promise<void> {
    const missed: ConsoleChange[] = [];
    this.#missed = missed;
    // When the stream comes back, another reading begins.
    const isLast = () => this.#missed === missed;
    try {
      const snapshot = await readSnapshot();
      if (!isLast()) return;
      this.#missed = undefined;
      this.#set({ snapshot, trouble: undefined, isRestarting: false });
      for (const change of missed) this.#apply(change);
    } catch (error) {
      if (!isLast()) return;
      if (!this.isRestarting) this.#set({ trouble: messageOf(error) });
      setTimeout(() => void this.refresh(), retryAfterMs);
    }
  }

  #apply(change: ConsoleChange): void {
    this.#missed?.push(change);
    const { topic, key, value } = change;
    const { snapshot } = this;
    if (topic === 'world') this.#awaitRestart();
    if (snapshot === undefined) return;
    // A new number or workspace, which the targets do not describe.
    if (topic === 'targets' && !snapshot.targets.has(key)) void this.refresh();
    if (isSetting(topic)) {
      this.#set({ snapshot: { ...snapshot, [topic]: { ...snapshot[topic], ...Object(value) } } });
    }
    if (!isTopic(topic)) return;
    const values = new Map<string, unknown>(snapshot[topic]);
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    this.#set({ snapshot: { ...snapshot, [topic]: values } });
  }

  #awaitRestart(): void {
    this.#set({ isRestarting: true, trouble: 'Another world is starting. This page shows it in a few seconds.' });
    const { snapshot } = this;
    setTimeout(() => {
      const isStillThere = this.isRestarting && this.snapshot?.started_at === snapshot?.started_at;
      if (isStillThere) this.#set({ isRestarting: false, trouble: noResponse });
    }, restartsWithinMs);
  }

  #set(changes: Partial<Pick<Live, 'snapshot' | 'trouble' | 'isRestarting'>>): void {
    Object.assign(this, changes);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

const isTopic = (topic: string): topic is Topic => (topics as readonly string[]).includes(topic);

const isSetting = (topic: string): topic is (typeof settings)[number] =>
  (settings as readonly string[]).includes(topic);

import { compareTexts, type Item } from './evaluate.ts';
import { placeIn } from './sorted.ts';

/** An index of keys only: the item's own key and its key in the index. */
export interface IndexEntry {
  indexPk: string;
  indexSk: string;
  pk: string;
  sk: string;
}

interface Pending {
  at: number;
  remove: IndexEntry | undefined;
  add: IndexEntry | undefined;
}

/**
 * A sparse global secondary index. Each write draws the lag after which it is visible; the writes of one item become
 * visible in their order.
 */
export class SecondaryIndex {
  readonly #name: string;
  readonly #partitions = new Map<string, IndexEntry[]>();
  readonly #latest = new Map<string, number>();
  #pending: Pending[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Records the effect of a write on the index, which becomes visible at the time `at`. */
  follow(key: { pk: string; sk: string }, before: Item | undefined, after: Item | undefined, at: number): void {
    const remove = this.#entryOf(key, before);
    const add = this.#entryOf(key, after);
    if (remove?.indexPk === add?.indexPk && remove?.indexSk === add?.indexSk) return;
    const name = `${key.pk}\n${key.sk}`;
    const inOrder = Math.max(at, this.#latest.get(name) ?? 0);
    this.#latest.set(name, inOrder);
    const place = placeIn(this.#pending, (other) => other.at <= inOrder);
    this.#pending.splice(place, 0, { at: inOrder, remove, add });
  }

  /** The entries of one partition that are visible at this time, in order. */
  partition(indexPk: string, now: number): readonly IndexEntry[] {
    const due = placeIn(this.#pending, ({ at }) => at <= now);
    for (const { remove, add } of this.#pending.splice(0, due)) {
      if (remove) this.#remove(remove);
      if (add) this.#add(add);
    }
    return this.#partitions.get(indexPk) ?? [];
  }

  /** Forgets an item that has no entry in the index. */
  expire({ pk, sk }: { pk: string; sk: string }): void {
    this.#latest.delete(`${pk}\n${sk}`);
  }

  #entryOf({ pk, sk }: { pk: string; sk: string }, item: Item | undefined): IndexEntry | undefined {
    const indexPk = item?.[`${this.#name}pk`];
    const indexSk = item?.[`${this.#name}sk`];
    return typeof indexPk === 'string' && typeof indexSk === 'string' ? { indexPk, indexSk, pk, sk } : undefined;
  }

  #add(entry: IndexEntry): void {
    const entries = this.#partitions.get(entry.indexPk) ?? [];
    this.#partitions.set(entry.indexPk, entries);
    entries.splice(
      placeIn(entries, (other) => compareEntries(other, entry) < 0),
      0,
      entry,
    );
  }

  #remove(entry: IndexEntry): void {
    const entries = this.#partitions.get(entry.indexPk) ?? [];
    const place = placeIn(entries, (other) => compareEntries(other, entry) < 0);
    const found = entries[place];
    if (found && compareEntries(found, entry) === 0) entries.splice(place, 1);
  }
}

export const compareEntries = (a: IndexEntry, b: IndexEntry) =>
  compareTexts(a.indexSk, b.indexSk) || compareTexts(a.pk, b.pk) || compareTexts(a.sk, b.sk);

/** First in, first out, in constant time. */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

/** A queue in which groups take turns, so that a busy group never delays a quiet one. Each group keeps its order. */
export class FairLine<T> {
  readonly #groups = new Map<string, Fifo<T>>();
  readonly #turns = new Fifo<string>();

  push(groupId: string, item: T): void {
    let group = this.#groups.get(groupId);
    if (group === undefined) {
      group = new Fifo();
      this.#groups.set(groupId, group);
      this.#turns.push(groupId);
    }
    group.push(item);
  }

  shift(): T | undefined {
    const groupId = this.#turns.shift();
    if (groupId === undefined) return undefined;
    const group = this.#groups.get(groupId);
    const item = group?.shift();
    if (group === undefined || group.isEmpty) this.#groups.delete(groupId);
    else this.#turns.push(groupId);
    return item;
  }
}

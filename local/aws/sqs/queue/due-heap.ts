export interface Due {
  /** Milliseconds since 1970. */
  dueAt: number;
  /** The item's position in the heap. The heap maintains it. */
  heapIndex: number;
}

/** Items in the order in which they are due. Reading the first is O(1), adding and removing any item O(log n). */
export class DueHeap<T extends Due> {
  readonly #items: T[] = [];

  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** The item must be in the heap, and its due time unchanged since it was added. */
  remove(item: T): void {
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#sink(last, item.heapIndex);
    this.#rise(last, last.heapIndex);
  }

  #rise(item: T, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex];
      if (parent === undefined || parent.dueAt <= item.dueAt) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
  }

  #sink(item: T, from: number): void {
    let index = from;
    for (let child = this.#earlierChild(index); child && child.dueAt < item.dueAt; child = this.#earlierChild(index)) {
      const childIndex = child.heapIndex;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }

  #earlierChild(index: number): T | undefined {
    const left = this.#items[2 * index + 1];
    const right = this.#items[2 * index + 2];
    return left && right && right.dueAt < left.dueAt ? right : left;
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}

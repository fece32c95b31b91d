/** What a store needs of a map: a plain `Map` forgets at the end, a `JournaledMap` keeps on disk. */
export interface Records<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
  values(): Iterable<V>;
}

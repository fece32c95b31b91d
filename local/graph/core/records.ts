/** The part of a map that a store needs. A plain `Map` is lost at the end, a `JournaledMap` is kept on disk. */
export interface Records<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
  values(): Iterable<V>;
}

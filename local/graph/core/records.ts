/** Hears of a change: of what (`messages`, `requests`, …), the key of the value, and the value now, if it still exists. */
export type Watch = (topic: string, key: string, value: unknown) => void;

/** The part of a map that a store needs. A plain `Map` is lost at the end, a `JournaledMap` is kept on disk. */
export interface Records<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
  values(): Iterable<V>;
}

/** The records, whose changes are reported under a topic. */
export function observed<V>(records: Records<V>, topic: string, watch: Watch | undefined): Records<V> {
  if (watch === undefined) return records;
  return {
    get size() {
      return records.size;
    },
    get: (key) => records.get(key),
    values: () => records.values(),
    set(key, value) {
      records.set(key, value);
      watch(topic, key, value);
    },
    delete(key) {
      records.delete(key);
      watch(topic, key, undefined);
    },
  };
}

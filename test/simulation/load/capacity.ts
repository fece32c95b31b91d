import type { Item } from '../../../support/memory-table/evaluate.ts';
import type { Change, Key, TableObserver } from '../../../support/memory-table/memory-table.ts';
import { itemSize } from './item-size.ts';

const indexes = ['gsi1', 'gsi2'] as const;

type Place = 'table' | (typeof indexes)[number];

/** The writes of the table itself or of an index. */
export interface WriteLoad {
  units: number;
  /** In one second. */
  maxUnits: number;
  /** In one second and on one partition key. */
  maxUnitsOfKey: number;
  /** That key. */
  busiestKey: string;
  /** The same for the keys of each kind of item, by their prefix. */
  maxUnitsOfKind: Map<string, number>;
}

interface Writes extends WriteLoad {
  second: number;
  unitsNow: number;
  unitsOfKeys: Map<string, number>;
}

/** Counts the capacity units that DynamoDB would charge, and finds the busiest partition keys. */
export class Capacity implements TableObserver {
  readonly #now: () => number;
  #writes = noWrites();
  #readUnits = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get readUnits(): number {
    return this.#readUnits;
  }

  get writes(): Readonly<Record<Place, WriteLoad>> {
    return this.#writes;
  }

  get writeUnits(): number {
    return Object.values(this.#writes).reduce((sum, { units }) => sum + units, 0);
  }

  reset(): void {
    this.#writes = noWrites();
    this.#readUnits = 0;
  }

  changed({ key, before, after }: Change): void {
    this.#write('table', key.pk, unitsFor(Math.max(itemSize(before), itemSize(after)), 1024));
    for (const index of indexes) {
      const [pk, sk] = [`${index}pk`, `${index}sk`];
      if (before?.[pk] === after?.[pk] && before?.[sk] === after?.[sk]) continue;
      // An index of keys needs one unit for an entry that is removed, and one for an entry that is added.
      if (before?.[pk] !== undefined) this.#write(index, String(before[pk]), 1);
      if (after?.[pk] !== undefined) this.#write(index, String(after[pk]), 1);
    }
  }

  /** A write whose condition does not hold is charged, too. */
  rejected(key: Key, item: Item | undefined): void {
    this.#write('table', key.pk, unitsFor(itemSize(item), 1024));
  }

  /** Counts what a command has read, by what it returns. */
  read(input: unknown, output: unknown): void {
    this.#readUnits += readUnits(input as ReadInput, output as ReadOutput);
  }

  #write(place: Place, key: string, units: number): void {
    const writes = this.#writes[place];
    const second = Math.floor(this.#now() / 1000);
    if (second !== writes.second) {
      writes.second = second;
      writes.unitsNow = 0;
      writes.unitsOfKeys.clear();
    }
    writes.units += units;
    writes.unitsNow += units;
    writes.maxUnits = Math.max(writes.maxUnits, writes.unitsNow);
    const ofKey = (writes.unitsOfKeys.get(key) ?? 0) + units;
    writes.unitsOfKeys.set(key, ofKey);
    const [kind = key] = key.split('#');
    if (ofKey > (writes.maxUnitsOfKind.get(kind) ?? 0)) writes.maxUnitsOfKind.set(kind, ofKey);
    if (ofKey <= writes.maxUnitsOfKey) return;
    writes.maxUnitsOfKey = ofKey;
    writes.busiestKey = key;
  }
}

const noWrites = (): Record<Place, Writes> => ({ table: nothing(), gsi1: nothing(), gsi2: nothing() });

const nothing = (): Writes => ({
  ...{ units: 0, maxUnits: 0, maxUnitsOfKey: 0, busiestKey: '', maxUnitsOfKind: new Map() },
  ...{ second: 0, unitsNow: 0, unitsOfKeys: new Map() },
});

const unitsFor = (bytes: number, bytesPerUnit: number) => Math.max(1, Math.ceil(bytes / bytesPerUnit));

interface ReadInput {
  ConsistentRead?: boolean;
  RequestItems?: Record<string, { ConsistentRead?: boolean }>;
}

interface ReadOutput {
  Item?: Item;
  Items?: Item[];
  Responses?: Record<string, Item[]>;
}

function readUnits(input: ReadInput, output: ReadOutput): number {
  const consistent = input.ConsistentRead ?? Object.values(input.RequestItems ?? {}).some((one) => one.ConsistentRead);
  const bytes = output.Responses
    ? Object.values(output.Responses).flat().map(itemSize)
    : [(output.Items ?? [output.Item]).reduce((sum, item) => sum + itemSize(item), 0)];
  return bytes.reduce((sum, size) => sum + unitsFor(size, 4096), 0) * (consistent ? 1 : 0.5);
}

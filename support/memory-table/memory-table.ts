import { marshall } from '@aws-sdk/util-dynamodb';
import { parseCondition, parseUpdate } from '#local/aws/dynamodb/parse-expression.ts';
import { awsError } from '#support/aws/aws-error.ts';
import { isValidationError, validationError } from './errors.ts';
import { type Aliases, applied, cloned, compareTexts, holds, type Item, rejectImpossible } from './evaluate.ts';
import { SecondaryIndex } from './secondary-index.ts';
import { placeIn } from './sorted.ts';

export interface Key {
  pk: string;
  sk: string;
}

export interface Expressions {
  ConditionExpression?: string | undefined;
  UpdateExpression?: string | undefined;
  KeyConditionExpression?: string | undefined;
  FilterExpression?: string | undefined;
  ProjectionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

/** A write in the form that `PutItem`, `UpdateItem`, `DeleteItem` and `TransactWriteItems` take. */
export interface Write extends Expressions {
  kind: 'put' | 'update' | 'delete' | 'check';
  key: Key;
  item?: Item | undefined;
  ReturnValuesOnConditionCheckFailure?: string | undefined;
}

export interface Change {
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
}

/** Sees the writes of a table. */
export interface TableObserver {
  changed?: (change: Change) => void;
  /** A write was rejected because its condition did not hold. */
  rejected?: (key: Key, item: Item | undefined) => void;
}

/** When writes become visible. */
export interface Visibility {
  now: () => number;
  /** Milliseconds until a write is visible in an index, drawn for each write. */
  indexLagMs: () => number;
  /** How far an eventually consistent read may lag behind, in milliseconds. */
  staleReadMs: () => number;
}

/** The maximum number of operations in one `TransactWriteItems`. */
const maxInTransaction = 100;

const atOnce: Visibility = { now: () => 0, indexLagMs: () => 0, staleReadMs: () => 0 };

interface Version {
  item: Item | undefined;
  before: Item | undefined;
  changedAt: number;
}

interface Partition {
  sks: string[];
  versions: Map<string, Version>;
}

/** The items of a table with the keys and the two indexes of the deployed one. */
export class MemoryTable {
  readonly indexes = { gsi1: new SecondaryIndex('gsi1'), gsi2: new SecondaryIndex('gsi2') };
  readonly #partitions = new Map<string, Partition>();
  readonly #visibility: Visibility;
  readonly #observer: TableObserver;

  constructor(visibility: Visibility = atOnce, observer: TableObserver = {}) {
    this.#visibility = visibility;
    this.#observer = observer;
  }

  /** The item as it is, or as an eventually consistent read may find it. Do not change it. */
  get({ pk, sk }: Key, consistent = true): Item | undefined {
    const version = this.#partitions.get(pk)?.versions.get(sk);
    return version && this.#seen(version, consistent);
  }

  /** The items of a partition in the order of their sort keys. */
  partition(pk: string, consistent = true): { key: Key; item: Item }[] {
    const partition = this.#partitions.get(pk);
    return (partition?.sks ?? []).flatMap((sk) => {
      const version = partition?.versions.get(sk);
      const item = version && this.#seen(version, consistent);
      return item ? [{ key: { pk, sk }, item }] : [];
    });
  }

  /** Every item, for checks from outside. */
  *all(): Generator<{ key: Key; item: Item }> {
    for (const pk of this.#partitions.keys()) yield* this.partition(pk);
  }

  /** The present entries of one partition of an index. */
  indexed(index: 'gsi1' | 'gsi2', indexPk: string) {
    return this.indexes[index].partition(indexPk, this.#visibility.now());
  }

  /** Makes a write. If its condition does not hold, throws the client's error. */
  write(write: Write): Change {
    rejectMistakes(write);
    const change = this.#prepare(write);
    if (!change.met) {
      this.#observer.rejected?.(change.key, change.before);
      throw awsError('ConditionalCheckFailedException', 'The conditional request failed', {
        ...(returnsOld(write) && change.before && { Item: marshalled(change.before) }),
      });
    }
    this.#commit(change);
    return change;
  }

  /** Makes all of the writes or none. */
  transact(writes: readonly Write[]): void {
    const names = new Set(writes.map(({ key }) => `${key.pk}\n${key.sk}`));
    if (names.size < writes.length) {
      throw validationError('Transaction request cannot include multiple operations on one item');
    }
    if (writes.length === 0 || writes.length > maxInTransaction) {
      throw validationError(`A transaction has 1 to ${maxInTransaction} operations`);
    }
    for (const write of writes) rejectMistakes(write);
    const changes = writes.map((write) => this.#tried(write));
    if (changes.every((change) => 'met' in change && change.met)) {
      for (const change of changes) if ('met' in change && change.write.kind !== 'check') this.#commit(change);
      return;
    }
    const CancellationReasons = changes.map((change) => {
      if (!('met' in change)) return { Code: 'ValidationError', Message: change.message };
      if (change.met) return { Code: 'None' };
      return {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        ...(returnsOld(change.write) && change.before && { Item: marshalled(change.before) }),
      };
    });
    const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
    const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
    throw awsError('TransactionCanceledException', message, { CancellationReasons });
  }

  /** Removes an expired item, as DynamoDB's TTL does. Does not call `onChange`, because no client made this change. */
  expire({ pk, sk }: Key): void {
    const partition = this.#partitions.get(pk);
    if (!partition?.versions.delete(sk)) return;
    partition.sks.splice(
      placeIn(partition.sks, (other) => compareTexts(other, sk) < 0),
      1,
    );
    if (partition.sks.length === 0) this.#partitions.delete(pk);
    for (const index of Object.values(this.indexes)) index.expire({ pk, sk });
  }

  #seen(version: Version, consistent: boolean): Item | undefined {
    if (consistent) return version.item;
    const isUnseen = this.#visibility.now() - version.changedAt < this.#visibility.staleReadMs();
    return isUnseen ? version.before : version.item;
  }

  /** The change that a part of a transaction would make, or why it cannot. */
  #tried(write: Write) {
    try {
      return { write, ...this.#prepare(write) };
    } catch (error) {
      if (isValidationError(error)) return { message: error.message };
      throw error;
    }
  }

  #prepare(write: Write): Change & { met: boolean } {
    const { key, ConditionExpression } = write;
    const before = this.get(key);
    const aliases = aliasesOf(write);
    const met = ConditionExpression === undefined || holds(parseCondition(ConditionExpression), before ?? {}, aliases);
    return { key, before, after: met ? after(write, before, aliases) : before, met };
  }

  #commit({ key, before, after }: Change): void {
    const now = this.#visibility.now();
    const partition = this.#partitions.get(key.pk) ?? { sks: [], versions: new Map() };
    this.#partitions.set(key.pk, partition);
    if (!partition.versions.has(key.sk)) {
      const place = placeIn(partition.sks, (sk) => compareTexts(sk, key.sk) < 0);
      partition.sks.splice(place, 0, key.sk);
    }
    partition.versions.set(key.sk, { item: after, before, changedAt: now });
    for (const index of Object.values(this.indexes)) {
      index.follow(key, before, after, now + this.#visibility.indexLagMs());
    }
    this.#observer.changed?.({ key, before, after });
  }
}

function after(write: Write, before: Item | undefined, aliases: Aliases): Item | undefined {
  switch (write.kind) {
    case 'put':
      return cloned({ ...write.item, ...write.key }) as Item;
    case 'delete':
      return undefined;
    case 'check':
      return before;
    case 'update':
      if (write.UpdateExpression === undefined) return { ...before, ...write.key };
      return applied(parseUpdate(write.UpdateExpression), { ...before, ...write.key }, aliases);
  }
}

/** Throws for a write that DynamoDB rejects before it looks at the item. */
function rejectMistakes(write: Write): void {
  const aliases = aliasesOf(write);
  if (write.UpdateExpression !== undefined) rejectImpossible(parseUpdate(write.UpdateExpression), aliases);
}

const returnsOld = ({ ReturnValuesOnConditionCheckFailure }: Write) =>
  ReturnValuesOnConditionCheckFailure === 'ALL_OLD';

const marshalled = (item: Item) => marshall(item, { removeUndefinedValues: true });

const alias = /[#:]\w+/g;

/** The aliases of a command. Like DynamoDB, this rejects aliases that no expression uses. */
export function aliasesOf(command: Expressions): Aliases {
  for (const aliases of [command.ExpressionAttributeNames, command.ExpressionAttributeValues]) {
    if (aliases && Object.keys(aliases).length === 0) throw validationError('Names and values must not be empty');
  }
  const names = command.ExpressionAttributeNames ?? {};
  const values = (cloned(command.ExpressionAttributeValues) ?? {}) as Item;
  const used = usedIn(command);
  const unused = [...Object.keys(names), ...Object.keys(values)].filter((name) => !used.has(name));
  if (unused.length > 0) throw validationError(`Not used in any expression: ${unused.join(', ')}`);
  return { names, values };
}

const aliasesByText = new Map<string, ReadonlySet<string>>();

function usedIn(command: Expressions): ReadonlySet<string> {
  const texts = [
    command.ConditionExpression,
    command.UpdateExpression,
    command.KeyConditionExpression,
    command.FilterExpression,
    command.ProjectionExpression,
  ];
  const text = texts.join(' ');
  const used = aliasesByText.get(text) ?? new Set(text.match(alias));
  aliasesByText.set(text, used);
  return used;
}

import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isObject } from '#shared/base/json.ts';
import type { Arguments, Fact, StateMachine } from '#shared/base/state-machine.ts';
import { canceledFor, isAwsError } from './failures.ts';
import type { Key, Table } from './table.ts';

/**
 * The parts of an `UpdateCommand` that set some attributes and remove others. A dot in a name leads into a map, which
 * must exist. Conditions may use the aliases that it defines: `#name` and `:name` for each attribute that is set.
 *
 * @param computed attributes that are set to an expression, such as `if_not_exists(first, :value)`
 * @param values the values in these expressions, by their aliases
 */
export function assign(
  set: Readonly<Record<string, unknown>>,
  remove: readonly string[] = [],
  computed: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, unknown>> = {},
) {
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  const assignments = [
    ...names.map((name) => `${pathAlias(name)} = ${valueAlias(name)}`),
    ...Object.entries(computed).map(([name, expression]) => `${pathAlias(name)} = ${expression}`),
  ];
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map(pathAlias).join(', ')}`] : []),
  ];
  const parts = [...names, ...Object.keys(computed), ...remove].flatMap((name) => name.split('.'));
  const allValues = { ...Object.fromEntries(names.map((name) => [valueAlias(name), set[name]])), ...values };
  return {
    UpdateExpression: clauses.join(' '),
    // DynamoDB rejects empty maps.
    ...(parts.length > 0 && { ExpressionAttributeNames: Object.fromEntries(parts.map((part) => [`#${part}`, part])) }),
    ...(Object.keys(allValues).length > 0 && { ExpressionAttributeValues: allValues }),
  };
}

/** The aliases of an attribute: `#map.#member` for `map.member`. */
export const pathAlias = (name: string): string =>
  name
    .split('.')
    .map((part) => `#${part}`)
    .join('.');

/** The alias of a value: `:map__member` for `map.member`. No attribute's own name has two underscores in a row. */
const valueAlias = (name: string) => `:${name.replaceAll('.', '__')}`;

/**
 * The item that made a condition fail (with `ReturnValuesOnConditionCheckFailure: ALL_OLD`), or `undefined` if there is
 * no item.
 */
interface Unmet {
  item: Record<string, unknown> | undefined;
}

/** Waits for a conditional write. A failed condition leads to `otherwise`; every other failure is an error. */
export async function unlessUnmet<T>(write: Promise<T>, otherwise: (unmet: Unmet) => T | Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isAwsError(error, 'ConditionalCheckFailedException')) throw error;
    const { Item } = error;
    return otherwise({ item: isObject(Item) ? unmarshall(Item as never) : undefined });
  }
}

/** Whether a conditional write was made. */
export const succeeds = (write: Promise<unknown>): Promise<boolean> =>
  unlessUnmet(
    write.then(() => true),
    () => false,
  );

/**
 * Waits for a transaction. Resolves with `false` when DynamoDB canceled it for one of `reasons`, by default a failed
 * condition (DynamoDB, TransactWriteItems, cancellation reasons).
 */
export async function unlessCanceled(
  write: Promise<unknown>,
  reasons: readonly string[] = ['ConditionalCheckFailed'],
): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (canceledFor(error).some((code) => reasons.includes(code))) return false;
    throw error;
  }
}

/** The condition that this holder has the lease of an item, which is the item's attribute `lease`. */
export const heldBy = (holder: string) => ({
  ConditionExpression: 'lease.holder = :holder',
  ExpressionAttributeValues: { ':holder': holder },
});

/**
 * The condition that nobody else has the lease of an item. A holder can repeat its own claim, because the client repeats
 * a write whose response was lost.
 */
export const claimedBy = (holder: string, now: number) => ({
  ConditionExpression: '(attribute_not_exists(lease) OR lease.#until <= :now OR lease.holder = :holder)',
  ExpressionAttributeNames: { '#until': 'until' },
  ExpressionAttributeValues: { ':now': now, ':holder': holder },
});

interface Aliases {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** The parts of a command that express a condition. */
export interface Condition extends Aliases {
  ConditionExpression?: string;
}

/** The parts of an `UpdateCommand` that express the change. */
export interface Update extends Aliases {
  UpdateExpression: string;
}

interface Options {
  /** The stored names of attributes, where they differ from the machine's. */
  storedAs?: Readonly<Record<string, string>>;
  /** The attribute that holds the machine's attributes, if they are not the item's own. */
  within?: string;
}

/** The condition of a transition: one of the states that allow it, and every further condition. */
export function conditionOf<State extends string, Name extends string>(
  machine: StateMachine<State, string, Name>,
  name: NoInfer<Name>,
  args: Arguments,
  { storedAs = {}, within }: Options = {},
): Condition {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};

  function path(attribute: string): string {
    const stored = [...(within ? [within] : []), storedAs[attribute] ?? attribute].join('.');
    for (const part of stored.split('.')) names[`#${part}`] = part;
    return pathAlias(stored);
  }

  /** Uses separate aliases because those of the update name the values that it sets. */
  function aliasOf(value: string): string {
    const alias = value.startsWith(':') ? `:if_${value.slice(1)}` : `:is_${value}`;
    values[alias] = actualValue(value, args, name);
    return alias;
  }

  function termOf([attribute, is, value]: Fact): string {
    switch (is) {
      case 'present':
        return `attribute_exists(${path(attribute)})`;
      case 'absent':
        return `attribute_not_exists(${path(attribute)})`;
      case 'lacks':
        return `NOT contains(${path(attribute)}, ${aliasOf(value)})`;
      default:
        return `${path(attribute)} ${is} ${aliasOf(value)}`;
    }
  }

  return {
    ConditionExpression: requirements(machine, name, termOf).join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** What a transition requires: one of its states, and each of its conditions. */
function requirements<State extends string, Name extends string>(
  { states, conditions, transitions }: StateMachine<State, string, Name>,
  name: NoInfer<Name>,
  termOf: (fact: Fact) => string,
): string[] {
  const { from, when = [] } = transitions[name];
  const oneOfTheStates = joined(
    'OR',
    from.map((state) => joined('AND', states[state].facts.map(termOf))),
  );
  return [oneOfTheStates, ...when.map((condition) => joined('OR', (conditions[condition] ?? []).map(termOf)))];
}

/** A value that begins with a colon stands for an argument. */
function actualValue(value: string, args: Arguments, transition: string): unknown {
  const actual = value.startsWith(':') ? args[value.slice(1)] : value;
  if (actual === undefined) throw new TypeError(`The transition ${transition} needs the argument ${value}`);
  return actual;
}

/** Adds brackets only around several terms: DynamoDB rejects redundant ones. */
function joined(operator: 'AND' | 'OR', terms: readonly string[]): string {
  const [only = ''] = terms;
  return terms.length > 1 ? `(${terms.join(` ${operator} `)})` : only;
}

/** Combines an update with a condition and merges their aliases. */
export function onCondition(update: Update, condition: Condition): Update & Condition {
  const names = update.ExpressionAttributeNames ?? condition.ExpressionAttributeNames;
  const values = update.ExpressionAttributeValues ?? condition.ExpressionAttributeValues;
  return {
    ...update,
    ...condition,
    ...(names && { ExpressionAttributeNames: { ...names, ...condition.ExpressionAttributeNames } }),
    ...(values && { ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues } }),
  };
}

/**
 * Writes an item that must not exist yet. If an identical item exists, the client has repeated a write whose response
 * was lost, so the write succeeded.
 *
 * @throws Error when another item has the key.
 */
export async function createItem(table: Table, item: Record<string, unknown>): Promise<void> {
  const create = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await unlessUnmet<unknown>(table.client.send(create), ({ item: existing }) => {
    if (!isDeepStrictEqual(existing, item)) throw new Error(`There is another item with the key ${item.pk}`);
  });
}

/** Writes items that must not exist yet, all of them or none. Resolves with `false` when one of them exists. */
export function createItems(table: Table, items: readonly Record<string, unknown>[]): Promise<boolean> {
  const TransactItems = items.map((Item) => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return unlessCanceled(table.client.send(new TransactWriteCommand({ TransactItems })));
}

/** Updates an item. Resolves with `false` when it does not exist. */
export const updateExisting = ({ client, name: TableName }: Table, { pk, sk }: Key, update: Update) =>
  succeeds(
    client.send(
      new UpdateCommand({ TableName, Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)', ...update }),
    ),
  );

/** Deletes an item. Resolves with `false` when it did not exist. */
export async function deleteExisting({ client, name: TableName }: Table, { pk, sk }: Key): Promise<boolean> {
  const { Attributes } = await client.send(new DeleteCommand({ TableName, Key: { pk, sk }, ReturnValues: 'ALL_OLD' }));
  return Attributes !== undefined;
}

/** Deletes an item, whatever it is by now. */
export async function deleteItem({ client, name: TableName }: Table, { pk, sk }: Key): Promise<void> {
  await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type ItemUpdate = NonNullable<TransactItem['Update']>;
interface ItemDeletion {
  Delete: NonNullable<TransactItem['Delete']>;
}

/** More tries than others change one of the items at the very moment of the write. */
const maxTries = 10;

/**
 * Makes all of these changes or none. Resolves with `false` when the condition of one of them does not hold. A single
 * change is a transaction, too: DynamoDB recognises a transaction that the client repeats after a lost response.
 */
export async function writeTogether(
  { client }: Table,
  changes: readonly (ItemUpdate | ItemDeletion)[],
): Promise<boolean> {
  const TransactItems = changes.map((change) => ('Delete' in change ? change : { Update: change }));
  for (let tries = 1; ; tries++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      const reasons = canceledFor(error);
      if (reasons.includes('ConditionalCheckFailed')) return false;
      if (tries === maxTries || !reasons.includes('TransactionConflict')) throw error;
    }
  }
}

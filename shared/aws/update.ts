import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isObject, listOf } from '#shared/base/json.ts';
import { isAwsError } from './failures.ts';

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

/**
 * Returns the codes for which DynamoDB canceled a transaction, one for each of its writes (`None` for those that were
 * not the reason). Without a canceled transaction there are none.
 */
export function canceledFor(error: unknown): readonly string[] {
  if (!isAwsError(error, 'TransactionCanceledException')) return [];
  return listOf(error.CancellationReasons).map((reason) => (isObject(reason) ? String(reason.Code) : ''));
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
